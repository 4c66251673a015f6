import { expect, test } from "vitest";
import { testApp } from "#test/support/app/test-app.ts";
import { endpointAt } from "#test/support/webhooks/webhook-world.ts";
import { findEndpoint } from "../../index.ts";
import { noteHealth, type Result } from "./note-health.ts";

const app = await testApp();
const { ctx } = app;

test.each([[[410, 200]], [[200, 410]], [[410, 500]]])("an endpoint whose responses in one run were %j is disabled", async (statuses) => {
  const tenant = await app.tenant();
  const { id } = await endpointAt(ctx, tenant, "https://shop.example.com/hook");
  const { version } = await findEndpoint(ctx, tenant, id);
  const results = statuses.map((response_status): Result => {
    const succeeded = response_status === 200;
    return {
      ...{ project_id: tenant.project_id, livemode: tenant.livemode, endpoint_id: id, event_id: ctx.id("evt"), attempt_id: ctx.id("wat") },
      ...{ lease: "lease", sent_at: ctx.now(), step: 1, wait_ms: null, duration_ms: 1, version },
      ...{ response_status, response_headers: null, response_body: null, response_truncated: false },
      state: succeeded ? "succeeded" : "failed",
      status: succeeded ? "succeeded" : "failed",
      error_code: succeeded ? null : "http_error",
    };
  });
  await ctx.transact((tx) => noteHealth(tx, ctx, results));
  expect(await findEndpoint(ctx, tenant, id)).toMatchObject({ status: "disabled", disabled_reason: "gone" });
});
