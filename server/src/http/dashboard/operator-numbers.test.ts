import { expect, test } from "vitest";
import { approveNumber, requestNumber } from "#numbers/index.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { visitor } from "#test/support/people/visitors.ts";
import { peopleRefusalsIn, type Trier } from "#test/support/refusals/people-refusals.ts";

const app = await testApp({ http: { perMinuteUnauthenticated: 10_000 } });
const refusals = peopleRefusalsIn(app);
let count = 0;
const newNumber = () => `+1415555${String((count += 1)).padStart(4, "0")}`;
const live = async (value: string) => requestNumber(app.ctx, await app.tenant({ livemode: true }), { value });
/** A request for a number that another project has. */
const ofAnother = async () => {
  const value = newNumber();
  await approveNumber(app.ctx, { id: (await live(value)).id });
  return live(value);
};
const [theirs, theirName] = [await ofAnother(), await live("CORNER")];
const requested = async () => ({ params: { id: (await live(newNumber())).id } });

refusals("GET /api/admin/numbers", () => ({}), [
  { name: "a cursor that names nothing", query: "starting_after=num_none", status: 400, code: "invalid_cursor" },
  { name: "a state that is none", query: "status=lost", status: 400, code: "parameter_invalid", param: "status" },
]);
refusals("POST /api/admin/numbers", ({ shop }: Trier) => ({ body: { project_id: shop.project_id, value: newNumber() } }), [
  {
    name: "a number of another project",
    given: (_by, { body }) => ({ body: { ...(body as object), value: theirs.value } }),
    status: 409,
    code: "number_taken",
  },
  {
    name: "a project that is none",
    given: (_by, { body }) => ({ body: { ...(body as object), project_id: "prj_none" } }),
    status: 400,
    code: "parameter_invalid",
    param: "project_id",
  },
  {
    name: "an emergency number",
    given: (_by, { body }) => ({ body: { ...(body as object), value: "911" } }),
    status: 400,
    code: "parameter_invalid",
    param: "value",
  },
  {
    name: "one more than a project may have",
    given: (_by, { body }) => ({ body: { ...(body as object), project_id: full } }),
    status: 400,
    code: "limit_reached",
  },
]);
refusals("POST /api/admin/numbers/:id/approve", requested, [
  { name: "a number of another project", given: () => ({ params: { id: theirs.id } }), status: 409, code: "number_taken" },
  {
    name: "calls from a name",
    given: () => ({ params: { id: theirName.id }, body: { channels: ["call"] } }),
    status: 400,
    code: "parameter_invalid",
    param: "channels",
  },
  { name: "a country that is none", body: { countries: ["XX"] }, status: 400, code: "parameter_invalid", param: "countries[0]" },
]);
refusals("POST /api/admin/numbers/:id/reject", async () => ({ ...(await requested()), body: { reason: "No papers" } }), [
  { name: "no reason", body: {}, status: 400, code: "parameter_missing", param: "reason" },
]);

const full = await (async () => {
  const shop = await app.tenant({ livemode: true });
  for (let at = 1; at <= 100; at += 1) await requestNumber(app.ctx, shop, { value: `N${at}` });
  return shop.project_id;
})();

test("an operator sees what waits and whose it is, decides on it, and assigns a number to a project", async () => {
  const operator = await visitor(app, { is_operator: true });
  const shop = await app.tenant({ livemode: true });
  const value = newNumber();
  const { id } = await requestNumber(app.ctx, shop, { value, purpose: "Order updates" });
  const find = async (query: string) => (await operator.api.get(`/api/admin/numbers?${query}`)).body.data;
  const plain = encodeURIComponent(value);
  expect(await find(`status=requested&q=${plain}`)).toMatchObject([
    {
      id,
      value,
      status: "requested",
      purpose: "Order updates",
      merchant_id: shop.merchant_id,
      merchant_name: "Corner Books",
      owner_project_name: null,
    },
  ]);
  const approved = await operator.api.post(`/api/admin/numbers/${id}/approve`, { channels: ["sms"] });
  expect(approved).toMatchObject({ status: 200, body: { status: "approved", channels: ["sms"] } });
  expect(await find(`status=requested&q=${plain}`)).toEqual([]);
  const rejected = await operator.api.post(`/api/admin/numbers/${id}/reject`, { reason: "Complaints" });
  expect(rejected.body).toMatchObject({ status: "rejected", rejection_reason: "Complaints" });
  const given = await operator.api.post("/api/admin/numbers", { project_id: shop.project_id, value: newNumber() });
  expect(given).toMatchObject({ status: 201, body: { status: "approved", project_id: shop.project_id } });
  const log = await operator.api.get(`/api/admin/audit-log?actor_id=${operator.id}`);
  expect(log.body.data.map(({ action }: { action: string }) => action).slice(0, 3)).toEqual([
    "number.assigned",
    "number.rejected",
    "number.approved",
  ]);
});
