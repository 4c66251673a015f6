import { expect, test } from "vitest";
import { insertPause } from "#guards/traffic/pauses.sql.ts";
import { changeMerchant } from "#identity/index.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { visitor } from "#test/support/people/visitors.ts";

const app = await testApp({ http: { perMinuteUnauthenticated: 10_000 } });
const operator = await visitor(app, { is_operator: true });
const shop = await app.tenant({ livemode: true });
await changeMerchant(app.ctx, { merchant_id: shop.merchant_id, if_version: null, country: "US" });
const owner = await visitor(app, { merchant_id: shop.merchant_id });
const page = `/api/v1/projects/${shop.project_id}`;
const codeOf = ({ status, body }: { status: number; body: { error?: { code: string; param?: string } } }) => [
  status,
  body.error?.code,
  body.error?.param,
];

test("operators replace the price table as rows or as CSV, by its version; all faults are reported together", async () => {
  const { api } = operator;
  expect((await api.get("/api/admin/message-prices")).body).toMatchObject({
    object: "message_prices",
    currency: null,
    prices: [],
    version: 1,
  });
  const csv = "channel,destination,price\nsms,US,0.0075\ncall,*,0.04\n";
  const put = await api.put("/api/admin/message-prices", { currency: "usd", csv }, { headers: { "if-match": "1" } });
  expect(put.body).toMatchObject({
    currency: "USD",
    version: 2,
    prices: [
      { destination: "US", price_micros: 7_500 },
      { channel: "call", destination: "*" },
    ],
  });
  expect((await api.get("/api/admin/message-prices")).body).toEqual(put.body);
  expect(codeOf(await api.put("/api/admin/message-prices", { currency: "usd", csv }, { headers: { "if-match": "1" } }))).toEqual([
    409,
    "version_conflict",
    undefined,
  ]);
  const faulty = await api.put("/api/admin/message-prices", { currency: "USD", csv: "sms,XX,1\nfax,US,1\n" });
  expect(faulty.body.error.details).toMatchObject([
    { reason: "not_a_destination", values: { line: 1 } },
    { reason: "not_a_channel", values: { line: 2 } },
  ]);
  // ISO 4217 has XXX for no currency.
  expect(codeOf(await api.put("/api/admin/message-prices", { currency: "XXX", prices: [] }))).toEqual([
    400,
    "unsupported_currency",
    "currency",
  ]);
  expect(
    codeOf(
      await api.put("/api/admin/message-prices", { currency: "USD", prices: [{ channel: "sms", destination: "us", price_micros: -1 }] }),
    ),
  ).toEqual([400, "parameter_invalid", "prices[0].destination"]);
});

test("the settings of operators and owners are combined in a project's limits", async () => {
  const policy = { allowed_countries: null, denied_countries: ["GB"], denied_prefixes: [], opened_prefixes: ["8816"] };
  expect((await operator.api.put("/api/admin/messaging-policy", policy)).body).toMatchObject({ ...policy, version: 2 });
  expect((await operator.api.get("/api/admin/messaging-policy")).body).toMatchObject(policy);
  const limits = await owner.api.get(`${page}/messaging-limits`);
  expect(limits.body).toMatchObject({
    ...{ object: "messaging_limits", countries: null, reachable_countries: ["US"], currency: "USD", version: 1 },
    quiet_hours: { marketing: { from: "21:00", to: "08:00" }, transactional: null, calls: null },
  });
  const change = { countries: ["US", "CA"], caps: { daily_spend_micros: 4_000_000 }, quiet_hours: { marketing: null } };
  const changed = await owner.api.call("PATCH", `${page}/messaging-limits`, { body: change, headers: { "if-match": "1" } });
  expect(changed.body).toMatchObject({
    reachable_countries: ["CA", "US"],
    caps: { daily_spend_micros: 4_000_000, daily_minutes: null },
    effective_caps: { daily_spend_micros: 4_000_000 },
    quiet_hours: { marketing: null },
    version: 2,
  });
  const refused = await owner.api.call("PATCH", `${page}/messaging-limits`, { body: { countries: ["GB"] } });
  expect(refused.body.error.details).toMatchObject([{ param: "countries[0]", reason: "denied_by_operator" }]);
  const theirs = `/api/admin/projects/${shop.project_id}/messaging-limits`;
  const higher = await operator.api.call("PATCH", theirs, { body: { operator_caps: { calls_at_once: 40 } }, headers: { "if-match": "2" } });
  expect(higher.body).toMatchObject({
    operator_caps: { calls_at_once: 40 },
    effective_caps: { calls_at_once: 40, daily_spend_micros: 4_000_000 },
  });
  expect((await operator.api.get(theirs)).body).toEqual(higher.body);
  const spend = await owner.api.get(`${page}/messaging-spend`);
  expect((await operator.api.get(`/api/admin/projects/${shop.project_id}/messaging-spend`)).body).toEqual(spend.body);
  expect(codeOf(await operator.api.get("/api/admin/projects/prj_none/messaging-spend"))).toEqual([404, "resource_missing", "id"]);
  expect(codeOf(await operator.api.get("/api/admin/projects/prj_none/messaging-limits"))).toEqual([404, "resource_missing", "id"]);
  expect(spend.body).toMatchObject({
    object: "messaging_spend",
    currency: "USD",
    measures: [{ measure: "spend_micros", day: { used: 0, cap: 4_000_000 } }],
  });
});

test("a pause is seen and released by the project's owner, and by operators", async () => {
  const figures = { messages: 40, codes: 0, approved: 0, share_percent: 90, sequential_percent: 100 };
  const paused = (prefix: string) =>
    app.ctx.transact(async (tx) => {
      const key = { project_id: shop.project_id, livemode: true, channel: "sms", prefix } as const;
      return (await insertPause(tx, key, { id: app.ctx.id("pau"), finding: { cause: "sequential_numbers", prefix, figures } }))?.id ?? "";
    });
  const [first, second] = [await paused("99855"), await paused("99856")];
  const listed = await owner.in("live").get(`${page}/messaging-pauses?status=active`);
  expect(listed.body.data.map(({ id, status }: { id: string; status: string }) => [id, status])).toEqual([
    [second, "active"],
    [first, "active"],
  ]);
  expect((await owner.in("live").post(`${page}/messaging-pauses/${first}/release`, {})).body).toMatchObject({
    id: first,
    status: "released",
  });
  expect((await operator.api.post(`/api/admin/messaging-pauses/${second}/release`, {})).body).toMatchObject({
    id: second,
    status: "released",
    merchant_name: "Corner Books",
  });
  expect((await operator.api.get("/api/admin/messaging-pauses?status=released")).body.data).toHaveLength(2);
  expect(codeOf(await owner.in("test").post(`${page}/messaging-pauses/${second}/release`, {}))).toEqual([404, "resource_missing", "id"]);
  const stranger = await visitor(app, { merchant_id: (await app.tenant()).merchant_id });
  expect((await stranger.api.get(`${page}/messaging-pauses`)).status).toBe(403);
});
