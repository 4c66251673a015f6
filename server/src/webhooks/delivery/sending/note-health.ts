import { recordAudit } from "#audit/index.ts";
import { type Ctx, noteFailures, notice, recentAttempts, type Tenant, type Tx } from "#platform/index.ts";
import { findProject } from "#projects/index.ts";
import { skipPending } from "../../endpoint/skip-pending.ts";
import { lockEndpoint, updateEndpoint } from "../../endpoint/sql.ts";
import { redactUrl } from "../../redact-url.ts";
import type { Ending } from "./claim.sql.ts";
import { countRecent, endpointBreakers, lockVersions, updateSucceeding } from "./health.sql.ts";

export const successNotedEveryMs = 5_000;

type Key = Tenant & { id: string };

/** A result, with the version that its endpoint had when the request was claimed. */
export type Result = Ending & { version: number };

/** Records each endpoint's results, opens circuit breakers, and disables endpoints that responded with 410. */
export async function noteHealth(tx: Tx, ctx: Ctx, results: Result[]): Promise<void> {
  if (results.length === 0) return;
  const byEndpoint = Map.groupBy(await listCurrent(tx, results), keyOf);
  const [succeeding, gone]: [Key[], Key[]] = [[], []];
  const failing: { key: Key; failures: number }[] = [];
  for (const [, own] of [...byEndpoint].sort(([left], [right]) => (left < right ? -1 : 1))) {
    const [{ project_id, livemode, endpoint_id: id }] = own as [Result];
    const key = { project_id, livemode, id };
    const last = own.findLastIndex((ending) => ending.status === "succeeded");
    if (last >= 0) succeeding.push(key);
    if (last < own.length - 1) failing.push({ key, failures: own.length - 1 - last });
    // Whatever it responded to others: those may have been on their way before it.
    if (own.some((ending) => ending.response_status === 410)) gone.push(key);
  }
  await updateSucceeding(tx, succeeding, { staleAfterMs: successNotedEveryMs });
  for (const { key, failures } of failing)
    await noteFailures(tx, endpointBreakers, { key, failures, recent: () => countRecent(tx, key, recentAttempts) });
  for (const key of gone) await disableEndpoint(tx, ctx, { key, reason: "gone" });
}

/** Leaves out results of endpoints that were changed since: they may be from another address. */
async function listCurrent(tx: Tx, results: Result[]): Promise<Result[]> {
  const endpoints = new Map(results.map(({ project_id, livemode, endpoint_id: id }) => [id, { project_id, livemode, id }]));
  const versions = new Map((await lockVersions(tx, [...endpoints.values()])).map(({ id, version }) => [id, version]));
  return results.filter(({ endpoint_id, version }) => versions.get(endpoint_id) === version);
}

function keyOf({ project_id, livemode, endpoint_id }: Result): string {
  return `${project_id} ${livemode} ${endpoint_id}`;
}

/** Disables an endpoint automatically and notifies its merchant. */
export async function disableEndpoint(tx: Tx, ctx: Ctx, { key, reason }: { key: Key; reason: "gone" | "failing" }): Promise<void> {
  const row = await lockEndpoint(tx, key, key.id);
  if (row === null || row.status === "disabled" || row.removed_at !== null) return;
  await updateEndpoint(tx, { ...row, status: "disabled", disabled_reason: reason });
  await skipPending(tx, row, null);
  await recordAudit(tx, { ctx, tenant: key, action: "webhook.disabled", object_type: "webhook", object_id: key.id, detail: { reason } });
  const project = await findProject(tx, key.project_id);
  if (project === null) return;
  const params = { webhook_id: key.id, url: redactUrl(row.url), project_id: key.project_id, livemode: key.livemode, reason };
  await notice(tx, ctx, { kind: "webhook.disabled", recipient: project.merchant_id, params });
}
