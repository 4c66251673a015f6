import { describe, expect, test } from "vitest";
import { listAudit } from "#audit/index.ts";
import { createCall } from "#calls/index.ts";
import { listEventsOf } from "#events/sql.ts";
import type { Tenant } from "#platform/index.ts";
import { takeInbound } from "#sms/inbound/take-inbound.ts";
import { listSms } from "#sms/index.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { runStatement } from "#test/support/database/statement.sql.ts";
import { liveShop, scriptedCarrier, smsRoom } from "#test/support/messages/sms.ts";
import { openNotices } from "#test/support/people/visitor-notices.ts";
import {
  approveNumber,
  assignNumber,
  callNumbers,
  deleteNumber,
  findNumber,
  listAllNumbers,
  listNumbers,
  type NumberInput,
  rejectNumber,
  requestNumber,
  smsNumbers,
} from "./index.ts";

const carrier = scriptedCarrier();
const app = await testApp({ sms: { routes: [carrier] }, calls: { hasRoute: () => true } });
const { ctx } = app;
const room = smsRoom(ctx, [carrier]);

let taken = 0;
/** An American number that no other test has. */
const newNumber = () => `+1415555${String((taken += 1)).padStart(4, "0")}`;
const ask = (tenant: Tenant, value: string, more: Partial<NumberInput> = {}) => requestNumber(ctx, tenant, { value, ...more });
const rowsOf = async (tenant: Tenant, limit = 10) => (await listNumbers(ctx, tenant, { limit, filters: {} })).rows;
const approved = async (tenant: Tenant, value: string, more: Partial<NumberInput> = {}) =>
  approveNumber(ctx, { id: (await ask(tenant, value, more)).id });

const eventsOf = async (tenant: Tenant, id: string) =>
  (await listEventsOf(ctx.db, tenant, { object_id: id, after: null, limit: 100 })).map(({ event }) => event).reverse();
const operationsOf = async (id: string) =>
  (await listAudit(ctx, { filters: { merchant_id: null, object_id: id }, limit: 100 })).rows.map(({ action }) => action).reverse();
const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => "done",
    (error: { code?: string; extras?: { reason?: string; details?: { reason: string }[] } }) =>
      error.extras?.reason ?? error.extras?.details?.[0]?.reason ?? error.code,
  );

describe("requesting", () => {
  test("waits in LIVE for an operator, and is answered immediately in TEST", async () => {
    const [shop, test_] = [await liveShop(app), await app.tenant()];
    const [waiting, there] = [await ask(shop, newNumber(), { purpose: "Order updates" }), await ask(test_, newNumber())];
    expect(waiting).toMatchObject({ status: "requested", kind: "number", country: "US", channels: ["sms", "call"] });
    expect(waiting).toMatchObject({ countries: null, decided_at: null });
    expect(there).toMatchObject({ status: "approved", decided_at: ctx.now() });
    expect([await eventsOf(shop, waiting.id), await eventsOf(test_, there.id)]).toEqual([[], ["number.approved"]]);
    expect(await ask(test_, "+15005550007")).toMatchObject({ status: "rejected", rejection_reason: expect.stringContaining("simulated") });
    expect(await openNotices(app, "number_approved", test_.project_id)).toEqual([]);
  });

  test.each([
    ["+14155552671", "number", ["sms", "call"]],
    ["10690123", "number", ["sms"]],
    ["ACME", "alphanumeric", ["sms"]],
  ] as const)("for %s is for a %s with its capabilities", async (value, kind, channels) => {
    expect(await ask(await liveShop(app), value)).toMatchObject({ value, kind, channels });
  });

  test.each([
    ["+1911", {}, "emergency_number"],
    ["112", {}, "emergency_number"],
    ["+19005551234", {}, "premium_number"],
    ["+15551230000", {}, "not_a_telephone_number"],
    ["+44", {}, "not_a_telephone_number"],
    ["Bücher", {}, "not_a_sms_sender"],
    ["A name that is too long", {}, "not_a_sms_sender"],
    ["ACME", { kind: "number" }, "other_kind"],
    ["ACME", { channels: ["call"] }, "calls_need_telephones"],
    ["10690123", { channels: ["sms", "call"] }, "calls_need_telephones"],
    ["ACME", { countries: ["US", "ZZ"] }, "not_a_country"],
  ] as const)("for %s %j is refused: %s", async (value, more, reason) => {
    const shop = await liveShop(app);
    expect(await codeOf(ask(shop, value, more))).toBe(reason);
    expect(await rowsOf(shop)).toEqual([]);
  });

  test("twice concurrently for the same creates one, and a rejected one can be requested again", async () => {
    const shop = await liveShop(app);
    const value = newNumber();
    expect((await Promise.all([codeOf(ask(shop, value)), codeOf(ask(shop, value))])).sort()).toEqual(["done", "number_exists"]);
    const [row] = await rowsOf(shop);
    await rejectNumber(ctx, { id: row?.id ?? "", reason: "No proof that it is yours" });
    const again = await ask(shop, value, { channels: ["sms"], purpose: "Here is the contract" });
    expect(again).toMatchObject({ id: row?.id, status: "requested", channels: ["sms"], version: 3 });
    expect(again).toMatchObject({ rejection_reason: null, decided_at: null });
    await approveNumber(ctx, { id: again.id });
    expect(await codeOf(ask(shop, value))).toBe("number_exists");
    expect(await operationsOf(again.id)).toEqual(["number.requested", "number.rejected", "number.requested", "number.approved"]);
  });

  test("for a hundred and one is refused, and removing one makes room", async () => {
    const shop = await app.tenant();
    for (let at = 1; at <= 99; at += 1) await ask(shop, `N${at}`);
    expect((await Promise.all([codeOf(ask(shop, "N100")), codeOf(ask(shop, "N101"))])).sort()).toEqual(["done", "limit_reached"]);
    const [row] = await rowsOf(shop, 1);
    await deleteNumber(ctx, shop, row?.id ?? "");
    expect(await codeOf(ask(shop, "N102"))).toBe("done");
  });
});

describe("a number", () => {
  test("that two projects request concurrently belongs to one of them, whoever is approved when", async () => {
    const [one, other] = [await liveShop(app), await liveShop(app)];
    const value = newNumber();
    const requests = await Promise.all([ask(one, value), ask(other, value)]);
    expect(requests.map(({ status }) => status)).toEqual(["requested", "requested"]);
    const [first = "", second = ""] = requests.map(({ id }) => id);
    const results = await Promise.all([first, second].map((id) => codeOf(approveNumber(ctx, { id }))));
    expect(results.toSorted()).toEqual(["done", "number_taken"]);
    const [winner, loser] = results[0] === "done" ? [one, other] : [other, one];
    expect(await smsNumbers.findOwner(ctx.db, value)).toEqual({ project_id: winner.project_id, livemode: true });
    expect(await codeOf(assignNumber(ctx, { project_id: loser.project_id, value }))).toBe("number_taken");
    const [winning, losing] = results[0] === "done" ? [first, second] : [second, first];
    expect((await listAllNumbers(ctx, { limit: 10, status: ["requested"], q: value })).rows).toMatchObject([
      { id: losing, owner_project_name: "Shop" },
    ]);
    expect(await eventsOf(loser, losing)).toEqual([]);
    await rejectNumber(ctx, { id: winning, reason: "Ported to another merchant" });
    expect(await smsNumbers.findOwner(ctx.db, value)).toBeNull();
    await approveNumber(ctx, { id: losing });
    expect(await smsNumbers.findOwner(ctx.db, value)).toEqual({ project_id: loser.project_id, livemode: true });
  });

  test("has one owner even if assigned manually, and in TEST any number of them", async () => {
    const value = newNumber();
    await approved(await liveShop(app), value);
    const { id } = await ask(await liveShop(app), value);
    const byHand = runStatement(ctx.db, "update numbers set status = 'approved', decided_at = now() where id = ?", id);
    await expect(byHand).rejects.toMatchObject({ constraint: "numbers_of_one_project" });
    const owner = await smsNumbers.findOwner(ctx.db, value);
    await ask(await app.tenant(), value);
    await ask(await app.tenant(), value);
    expect([await smsNumbers.findOwner(ctx.db, value), owner?.livemode]).toEqual([owner, true]);
    const ofTest = newNumber();
    await ask(await app.tenant(), ofTest);
    expect(await smsNumbers.findOwner(ctx.db, ofTest)).toBeNull();
  });

  test("is approved once, however often it is approved concurrently", async () => {
    const shop = await liveShop(app);
    const { id, value } = await ask(shop, newNumber());
    const answers = await Promise.all(Array.from({ length: 4 }, () => approveNumber(ctx, { id })));
    expect(new Set(answers.map(({ status, version }) => `${status} ${version}`))).toEqual(new Set(["approved 2"]));
    expect(await eventsOf(shop, id)).toEqual(["number.approved"]);
    expect(await operationsOf(id)).toEqual(["number.requested", "number.approved"]);
    expect(await openNotices(app, "number_approved", shop.project_id)).toMatchObject([
      { value, channels: ["sms", "call"], countries: null },
    ]);
  });

  test("is revoked once, with the first reason, and a concurrent approval leaves one of the two", async () => {
    const shop = await liveShop(app);
    const { id } = await approved(shop, newNumber());
    await Promise.all(["Complaints", "Complaints"].map((reason) => rejectNumber(ctx, { id, reason })));
    expect(await rejectNumber(ctx, { id, reason: "Another" })).toMatchObject({ status: "rejected", rejection_reason: "Complaints" });
    expect(await eventsOf(shop, id)).toEqual(["number.approved", "number.rejected"]);
    expect(await openNotices(app, "number_rejected", shop.project_id)).toMatchObject([{ was_approved: true, reason: "Complaints" }]);
    await Promise.all([approveNumber(ctx, { id }), rejectNumber(ctx, { id, reason: "No" })]);
    const events = await eventsOf(shop, id);
    expect(events.at(-1)).toBe(`number.${(await findNumber(ctx, shop, id)).status}`);
  });

  test("gets what the operator allows, and is reported again when that changes", async () => {
    const shop = await liveShop(app);
    const { id } = await ask(shop, newNumber());
    expect(await approveNumber(ctx, { id, channels: ["sms"], countries: ["US", "CA", "US"] })).toMatchObject({
      channels: ["sms"],
      countries: ["CA", "US"],
    });
    await approveNumber(ctx, { id, channels: ["sms"], countries: ["CA", "US"] });
    expect(await approveNumber(ctx, { id, countries: null })).toMatchObject({ channels: ["sms"], countries: null });
    expect(await eventsOf(shop, id)).toEqual(["number.approved", "number.approved"]);
    const name = await ask(shop, "CORNER");
    expect(await codeOf(approveNumber(ctx, { id: name.id, channels: ["call"] }))).toBe("calls_need_telephones");
    expect(await codeOf(approveNumber(ctx, { id: name.id, countries: ["ZZ"] }))).toBe("not_a_country");
  });

  test("is assigned by an operator without a request, and approves an existing one", async () => {
    const shop = await liveShop(app);
    const value = newNumber();
    const made = await assignNumber(ctx, { project_id: shop.project_id, value, countries: ["US"] });
    expect(made).toMatchObject({ project_id: shop.project_id, livemode: true, status: "approved", countries: ["US"] });
    expect(await operationsOf(made.id)).toEqual(["number.assigned"]);
    const requested = await ask(shop, "BOOKS");
    expect(await assignNumber(ctx, { project_id: shop.project_id, value: "BOOKS" })).toMatchObject({
      id: requested.id,
      status: "approved",
    });
    expect(await codeOf(assignNumber(ctx, { project_id: "prj_none", value: newNumber() }))).toBe("unknown_project");
  });

  test("of TEST can't be decided on", async () => {
    const { id } = await ask(await app.tenant(), newNumber());
    expect(await codeOf(approveNumber(ctx, { id }))).toBe("resource_missing");
    expect(await codeOf(rejectNumber(ctx, { id, reason: "No" }))).toBe("resource_missing");
  });
});

describe("in LIVE", () => {
  const to = "+14155552671";
  const sender = (value: string) => ({ value, kind: "number" as const });

  test("SMS leave only from what was approved", async () => {
    const [shop, stranger] = [await liveShop(app), await liveShop(app)];
    const [value, waiting] = [newNumber(), newNumber()];
    const { id } = await approved(shop, value);
    await ask(shop, waiting);
    expect(await room.send(shop, { from: value, to })).toMatchObject({ sender: value, status: "queued" });
    expect(await codeOf(room.send(shop, { from: waiting, to }))).toBe("sender_not_allowed");
    expect(await codeOf(room.send(shop, { from: "CORNER", to }))).toBe("sender_not_allowed");
    expect(await codeOf(room.send(stranger, { from: value, to }))).toBe("sender_not_allowed");
    expect(await codeOf(room.send(stranger, { to }))).toBe("required");
    await rejectNumber(ctx, { id, reason: "Complaints" });
    expect(await codeOf(room.send(shop, { from: value, to }))).toBe("sender_not_allowed");
  });

  test("calls come from numbers that were approved for calls", async () => {
    const shop = await liveShop(app);
    const [forBoth, forSms] = [newNumber(), newNumber()];
    const { id } = await approved(shop, forBoth);
    await approved(shop, forSms, { channels: ["sms"] });
    const call = (from: string) => createCall(ctx, shop, { tier: "pro", call: { from, to, text: "Hello" } });
    expect(await call(forBoth)).toMatchObject({ status: "queued" });
    expect(await codeOf(call(forSms))).toBe("sender_not_allowed");
    await deleteNumber(ctx, shop, id);
    expect(await codeOf(call(forBoth))).toBe("sender_not_allowed");
  });

  test("a number serves its own project, environment, channels and countries", async () => {
    const [shop, stranger] = [await liveShop(app), await liveShop(app)];
    const value = newNumber();
    await approved(shop, value, { channels: ["call"], countries: ["US"] });
    const mayCall = (tenant: Tenant, country: string) => callNumbers.mayUse(ctx.db, tenant, { number: value, country });
    expect([await mayCall(shop, "US"), await mayCall(shop, "CA"), await mayCall(stranger, "US")]).toEqual([true, false, false]);
    expect(await mayCall({ project_id: shop.project_id, livemode: false }, "US")).toBe(false);
    expect(await smsNumbers.mayUse(ctx.db, shop, { sender: sender(value), country: "US" })).toBe(false);
  });

  test("a message without a sender is from a number of its country, else another, a short code, a name", async () => {
    const shop = await liveShop(app);
    const usual = async (country: string) => (await smsNumbers.findUsual(ctx.db, shop, country))?.value ?? null;
    await ask(shop, newNumber());
    await rejectNumber(ctx, { id: (await ask(shop, newNumber())).id, reason: "No" });
    await ask(await app.tenant({ merchant_id: shop.merchant_id, project_id: shop.project_id }), newNumber());
    await approved(await liveShop(app), newNumber());
    expect(await usual("US")).toBeNull();
    await approved(shop, "CORNER");
    expect(await usual("US")).toBe("CORNER");
    await approved(shop, "10690123", { countries: ["CN"] });
    expect([await usual("CN"), await usual("US")]).toEqual(["10690123", "CORNER"]);
    await approved(shop, "+442079460018", { channels: ["call"] });
    const [british, american] = ["+442079460019", newNumber()];
    await approved(shop, british);
    await approved(shop, american);
    await approved(shop, newNumber());
    expect([await usual("GB"), await usual("US"), await usual("FR")]).toEqual([british, american, british]);
    expect((await room.send(shop, { to })).sender).toBe(american);
  });

  test("inbound messages reach the project that has the number, and no one once it is revoked", async () => {
    const [shop, stranger] = [await liveShop(app), await liveShop(app)];
    const value = newNumber();
    const { id } = await approved(shop, value, { channels: ["call"] });
    await ask(stranger, value);
    const come = (from: string) =>
      takeInbound(ctx, {
        provider: "carrier",
        provider_message_id: null,
        from,
        to: value,
        body: "Hello",
        encoding: "GSM-7",
        received_at: ctx.now(),
        part: null,
      });
    const inbox = async (tenant: Tenant) => (await listSms(ctx, tenant, { limit: 10, filters: { to: [value] } })).rows.length;
    await come("+14155552672");
    await rejectNumber(ctx, { id, reason: "Ported" });
    await come("+14155552673");
    expect([await inbox(shop), await inbox(stranger)]).toEqual([1, 0]);
  });

  test("a name may belong to several projects, because nothing is received on it", async () => {
    for (const shop of [await liveShop(app), await liveShop(app)])
      expect(await approved(shop, "SHARED")).toMatchObject({ status: "approved" });
    expect(await smsNumbers.findOwner(ctx.db, "SHARED")).toBeNull();
  });
});
