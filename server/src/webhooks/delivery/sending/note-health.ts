import { recordAudit } from "#audit/index.ts";
import { type Ctx, noteFailures, notice, recentAttempts, type Tenant, type Tx } from "#platform/index.ts";
import { findProject } from "#projects/index.ts";
import { updateSkippedOf } from "../../endpoint/skip.sql.ts";
import { lockEndpoint, updateEndpoint } from "../../endpoint/sql.ts";
import { redactUrl } from "../../redact-url.ts";
import type { Ending } from "./claim.sql.ts";
import { countRecent, endpointBreakers, updateSucceeding } from "./health.sql.ts";

export const successNotedEveryMs = 5_000;

type Key = Tenant & { id: string };

/** Records each endpoint's results, opens circuit breakers, and disables endpoints that responded with 410. */
export async function noteHealth(tx: Tx, ctx: Ctx, endings: Ending[]): Promise<void> {
  if (endings.length === 0) return;
  const byEndpoint = Map.groupBy(endings, (ending) => `${ending.project_id} ${ending.livemode} ${ending.endpoint_id}`);
  const succeeding: Key[] = [];
  const failing: { key: Key; failures: number; gone: boolean }[] = [];
  for (const [, own] of [...byEndpoint].sort(([left], [right]) => (left < right ? -1 : 1))) {
    const [{ project_id, livemode, endpoint_id: id }] = own as [Ending];
    const key = { project_id, livemode, id };
    const last = own.findLastIndex((ending) => ending.status === "succeeded");
    if (last >= 0) succeeding.push(key);
    if (last < own.length - 1)
      failing.push({ key, failures: own.length - 1 - last, gone: own.some((ending) => ending.response_status === 410) });
  }
  await updateSucceeding(tx, succeeding, { staleAfterMs: successNotedEveryMs });
  for (const { key, failures, gone } of failing) {
    await noteFailures(tx, endpointBreakers, { key, failures, recent: () => countRecent(tx, key, recentAttempts) });
    if (gone) await disableEndpoint(tx, ctx, { key, reason: "gone" });
  }
}

/** Disables an endpoint automatically and notifies its merchant. */
export async function disableEndpoint(tx: Tx, ctx: Ctx, { key, reason }: { key: Key; reason: "gone" | "failing" }): Promise<void> {
  const row = await lockEndpoint(tx, key, key.id);
  if (row === null || row.status === "disabled" || row.removed_at !== null) return;
  await updateEndpoint(tx, { ...row, status: "disabled", disabled_reason: reason });
  await updateSkippedOf(tx, row, { except: null });
  await recordAudit(tx, { ctx, tenant: key, action: "webhook.disabled", object_type: "webhook", object_id: key.id, detail: { reason } });
  const project = await findProject(tx, key.project_id);
  if (project === null) return;
  const params = { webhook_id: key.id, url: redactUrl(row.url), project_id: key.project_id, livemode: key.livemode, reason };
  await notice(tx, ctx, { kind: "webhook.disabled", recipient: project.merchant_id, params });
}
