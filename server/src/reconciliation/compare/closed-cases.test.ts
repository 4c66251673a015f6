import { expect, test } from "vitest";
import { testApp } from "#test/support/app/test-app.ts";
import { compareDays } from "#test/support/gateways/scripted/compare-days.ts";
import { silentForDays } from "#test/support/gateways/scripted/gateway-shop.ts";
import { listedShops } from "#test/support/gateways/scripted/listed-shops.ts";
import { payingGateway } from "#test/support/gateways/scripted/paying-gateway.ts";
import { listExceptions } from "../exception/list-exceptions.ts";
import { resolveException } from "../exception/resolve-exception.ts";

const gateway = payingGateway({ lists: true });
const app = await testApp({ gateways: { adapters: [gateway.adapter] }, http: { perMinuteUnauthenticated: 100_000 } });
const { ctx, clock } = app;
const open = listedShops(app, gateway);

/** A payment whose provider was silent for days, and then lists it, but doesn't call it paid when asked. */
async function listedAfterAll(decide: (exception_id: string, of: Awaited<ReturnType<typeof open>>) => Promise<unknown>) {
  const shop = await open();
  const { session } = await shop.started({ expires_in: 600 });
  clock.advance(601_000);
  await silentForDays(app, gateway, session.id);
  const casesOf = async () => (await listExceptions(ctx, shop.tenant, { limit: 10, filters: {} })).rows;
  const [found] = await casesOf();
  expect(found).toMatchObject({ status: "open", detail: { reason: "outcome_unknown" } });
  await decide(found?.id ?? "", shop);
  for (let times = 0; times < 2; times += 1) {
    shop.list({ reference: session.id });
    await compareDays(app, 2);
  }
  return (await casesOf()).map(({ status, detail }) => `${status}: ${detail["reason"]}`);
}

test("money that is listed after a person closed its exception without money is reported again, once", async () => {
  const cases = await listedAfterAll((exception_id, { tenant }) => resolveException(ctx, tenant, { exception_id, action: "ignore" }));
  expect(cases).toEqual(["open: listed_unsettled", "resolved: outcome_unknown"]);
});

test("money that is listed while a person has its exception, or after it was booked, isn't reported a second time", async () => {
  expect(await listedAfterAll(async () => {})).toEqual(["open: outcome_unknown"]);
  const accepted = await listedAfterAll((exception_id, { tenant }) =>
    resolveException(ctx, tenant, { exception_id, action: "accept", note: "it is in the account" }),
  );
  expect(accepted).toEqual(["resolved: outcome_unknown"]);
});
