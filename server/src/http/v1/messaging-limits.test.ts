import { insertPause } from "#guards/traffic/pauses.sql.ts";
import type { Tenant } from "#platform/index.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { refusalsIn } from "#test/support/refusals/refusals.ts";

const app = await testApp({ http: { perMinuteUnauthenticated: 10_000 } });
const refusals = refusalsIn(app);
const figures = { messages: 40, codes: 0, approved: 0, share_percent: 90, sequential_percent: 100 };

/** A paused range of a project's. */
function pauseOf({ project_id, livemode }: Tenant): Promise<string> {
  const key = { project_id, livemode, channel: "sms", prefix: "99855" } as const;
  const finding = { cause: "sequential_numbers", prefix: key.prefix, figures } as const;
  return app.ctx.transact(async (tx) => (await insertPause(tx, key, { id: app.ctx.id("pau"), finding }))?.id ?? "");
}

refusals("GET /api/v1/projects/:projectId/messaging-limits", () => ({}));
refusals("GET /api/v1/projects/:projectId/messaging-spend", () => ({}));
refusals("PATCH /api/v1/projects/:projectId/messaging-limits", () => ({ body: { countries: ["CN"] } }), [
  { name: "an old version", headers: { "if-match": "77" }, status: 409, code: "version_conflict" },
  { name: "a country that is none", body: { countries: ["CN", "XX"] }, status: 400, code: "parameter_invalid", param: "countries[1]" },
  {
    name: "a cap below nothing",
    body: { caps: { daily_segments: -1 } },
    status: 400,
    code: "parameter_invalid",
    param: "caps.daily_segments",
  },
  {
    name: "a cap of the operator's",
    body: { operator_caps: { daily_segments: 1 } },
    status: 400,
    code: "parameter_unknown",
    param: "operator_caps",
  },
  {
    name: "quiet hours without an end",
    body: { quiet_hours: { calls: { from: "21:00", to: "21:00" } } },
    ...{ status: 400, code: "parameter_invalid", param: "quiet_hours.calls" },
  },
]);
refusals("GET /api/v1/projects/:projectId/messaging-pauses", () => ({}), [
  { name: "a cursor that names nothing", query: "starting_after=pau_none", status: 400, code: "invalid_cursor", param: "starting_after" },
  { name: "a state that is none", query: "status=lost", status: 400, code: "parameter_invalid", param: "status" },
]);
refusals("POST /api/v1/projects/:projectId/messaging-pauses/:id/release", async (shop) => ({ params: { id: await pauseOf(shop) } }), [
  { name: "a pause that does not exist", params: { id: "pau_none" }, status: 404, code: "resource_missing" },
]);
