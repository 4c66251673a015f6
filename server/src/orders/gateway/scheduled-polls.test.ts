import { expect, test } from "vitest";
import { GatewayError } from "#gateways/index.ts";
import { listExceptions } from "#reconciliation/exception/list-exceptions.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { runStatement } from "#test/support/database/statement.sql.ts";
import { type GatewayShop, gatewayShop, pollDue } from "#test/support/gateways/scripted/gateway-shop.ts";
import { payingGateway } from "#test/support/gateways/scripted/paying-gateway.ts";
import { expireDue } from "../order/expire-due.ts";
import { findGatewayPayment } from "../rows/gateway-payments.sql.ts";
import { findOrderRow } from "../rows/orders.sql.ts";
import { findSession } from "../rows/sessions.sql.ts";
import { watchPayments } from "./process-payments.ts";

const gateway = payingGateway();
const app = await testApp({ gateways: { adapters: [gateway.adapter] } });
const { ctx, clock } = app;

/** Payments that the provider doesn't say anything about, and those that it no longer knows. */
const silent = new Set<string>();
const forgotten = new Set<string>();
gateway.meanwhile = (_verb, reference) => {
  if (silent.has(reference)) throw new GatewayError("auth", { code: "revoked", message: "This key was revoked." });
  if (forgotten.has(reference)) throw new GatewayError("not_found", { code: "no_such_payment", message: "No such payment." });
};

const open = async ({ expires_in = 2_592_000, demo = false } = {}) => {
  const shop = await gatewayShop(app);
  const account = await shop.account("tp_a");
  await runStatement(ctx.db, "update gateway_credentials set demo = ? where id = ?", demo, account);
  return { shop, ...(await shop.started({ expires_in })) };
};
type Open = Awaited<ReturnType<typeof open>>;
const pollsOf = (id: string) => gateway.calls.filter(({ verb, reference }) => verb === "query" && reference === id).length;
const casesOf = async (shop: GatewayShop) =>
  (await listExceptions(ctx, shop.tenant, { limit: 10, filters: {} })).rows.map(({ detail }) => detail["reason"]);
/** Polls what is due at these seconds after the payment was stored, and returns those in which the provider was asked about it. */
const polled = async ({ session }: Open, seconds: readonly number[], before: (second: number) => unknown) => {
  const asked: number[] = [];
  let now = 0;
  for (const second of seconds) {
    clock.advance((second - now) * 1_000);
    now = second;
    await before(second);
    const count = pollsOf(session.id);
    await pollDue(app);
    if (pollsOf(session.id) > count) asked.push(second);
  }
  return asked;
};
/** When a page that was open for less than a minute has its provider asked: the last time once it is closed. */
const whileOpen = [1, 3, 10, 30, 60];
const scheduledAt = (index: number) => (index === 0 ? 300 : 3_900 + (index - 1) * 86_400);

test("a page that is opened five times within minutes while its provider is silent tells no one, and counts as one scheduled query", async () => {
  const opened = await open();
  const visits = [0, 80, 160, 240, 320];
  silent.add(opened.session.id);
  const seconds = visits.flatMap((from) => [0, ...whileOpen].map((after) => from + after));
  const visit = (second: number) => (visits.includes(second) ? watchPayments(ctx, [opened.order]) : null);
  const asked = await polled(opened, seconds, visit);
  expect(asked).toEqual(visits.flatMap((from) => whileOpen.map((after) => from + after)));
  expect(await casesOf(opened.shop)).toEqual([]);
  expect(await findSession(ctx.db, opened.shop.tenant, opened.session.id)).toMatchObject({ status: "pending" });
  expect(await findGatewayPayment(ctx.db, opened.shop.tenant, opened.session.id)).toMatchObject({ asks: 1, silent_asks: 1 });
});

test("a page that was open for a minute doesn't move the schedule's queries", async () => {
  const opened = await open();
  const seconds = [0, ...whileOpen, 75, 299, 300, 301, 3_674, 3_899, 3_900, 3_901, 90_299, 90_300];
  const visit = (second: number) => (second === 0 ? watchPayments(ctx, [opened.order]) : null);
  const asked = await polled(opened, seconds, visit);
  expect(asked).toEqual([...whileOpen, 300, 3_900, 90_300]);
});

test("a payment that was stored while the clock was a month ahead is queried every five minutes until the clock has caught up", async () => {
  const opened = await open();
  const ahead = "update gateway_payments set created_at = created_at + interval '30 days' where payment_session_id = ?";
  await runStatement(ctx.db, ahead, opened.session.id);
  expect(await polled(opened, [299, 300, 599, 600], () => null)).toEqual([300, 600]);
  expect(await casesOf(opened.shop)).toEqual([]);
});

test.each([
  { name: "four answers and a silence", queries: "aaaas", reasons: [] },
  { name: "four silences", queries: "ssss", reasons: [] },
  { name: "five silences", queries: "sssss", reasons: ["outcome_unknown"] },
  { name: "four silences, an answer and four silences", queries: "ssssassss", reasons: [] },
  { name: "an answer and five silences", queries: "asssss", reasons: ["outcome_unknown"] },
])("after $name to scheduled queries, a person is notified: $reasons", async ({ queries, reasons }) => {
  const opened = await open();
  const { id } = opened.session;
  const seconds = Array.from(queries, (_, index) => scheduledAt(index));
  const answer = (second: number) => (queries[seconds.indexOf(second)] === "s" ? silent.add(id) : silent.delete(id));
  const asked = await polled(opened, seconds, answer);
  expect(asked).toEqual(seconds);
  expect(await casesOf(opened.shop)).toEqual(reasons);
  expect(await findSession(ctx.db, opened.shop.tenant, id)).toMatchObject({ status: reasons.length > 0 ? "expired" : "pending" });
});

/** A payment was in progress at its first scheduled query, and its provider doesn't know it at the others. Returns the order's states. */
const pollForgotten = async (opened: Open, queries: number) => {
  const { id } = opened.session;
  gateway.change(id, { state: "processing" });
  const states: unknown[] = [];
  const seconds = Array.from({ length: queries }, (_, index) => scheduledAt(index));
  await polled(opened, seconds, async (second) => {
    if (second > 300) forgotten.add(id);
    await expireDue(ctx);
    states.push((await findOrderRow(ctx.db, opened.shop.tenant, opened.order.id))?.status);
  });
  await expireDue(ctx);
  return [...states, (await findOrderRow(ctx.db, opened.shop.tenant, opened.order.id))?.status];
};

test("a payment in progress that its provider no longer knows is left to a person after five queries, and its order expires", async () => {
  const opened = await open({ expires_in: 600 });
  expect(await pollForgotten(opened, 6)).toEqual([...Array(6).fill("unpaid"), "expired"]);
  expect(await casesOf(opened.shop)).toEqual(["outcome_unknown"]);
  expect(await findSession(ctx.db, opened.shop.tenant, opened.session.id)).toMatchObject({ status: "expired" });
});

test("a payment in progress that a simulated provider no longer knows ends, and so does its order", async () => {
  const opened = await open({ expires_in: 600, demo: true });
  expect(await pollForgotten(opened, 2)).toEqual(["unpaid", "unpaid", "expired"]);
  expect(await casesOf(opened.shop)).toEqual([]);
});

test("an open payment that its provider doesn't know yet is waited for until it ends", async () => {
  const opened = await open();
  forgotten.add(opened.session.id);
  const seconds = Array.from({ length: 8 }, (_, index) => scheduledAt(index));
  expect(await polled(opened, seconds, () => null)).toEqual(seconds);
  expect(await casesOf(opened.shop)).toEqual([]);
  expect(await findSession(ctx.db, opened.shop.tenant, opened.session.id)).toMatchObject({ status: "pending" });
});
