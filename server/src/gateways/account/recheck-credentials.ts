import { type Ctx, isUnavailable, notice, type Tenant, type Tx } from "#platform/index.ts";
import { writeAttempt } from "../call/call-gateway.ts";
import { openAccount } from "../call/open-account.ts";
import { GatewayError } from "../gateway-error.ts";
import { presentCredential } from "../rows/show-credential.ts";
import { type CheckFound, type CredentialRow, findCredentialRow, updateCheckDue, updateChecked } from "../rows/sql.ts";
import { type Checked, checkAccount, firstCheckMs, longestCheckMs } from "./check-account.ts";
import { emitAccountChange } from "./emit-account-change.ts";
import { type CredentialKey, type FaringCredential, findAdapter, shownAfter } from "./find-credential.ts";

/** Checks an account's credentials with its provider now, and returns the account with the result. Throws resource_missing. */
export async function checkCredential(ctx: Ctx, tenant: Tenant, key: CredentialKey): Promise<FaringCredential> {
  findAdapter(ctx, key.gateway);
  const before = presentCredential(await findCredentialRow(ctx.db, tenant, key.id), key.gateway);
  const checked = await check(ctx, before);
  return ctx.transact(async (tx) => {
    await write(tx, before, { checked, next: checked.checkInMs });
    const after = await shownAfter(tx, tenant, key);
    await emitAccountChange(tx, ctx, {
      action: "gateway_credential.checked",
      credential: after,
      detail: { status: after.status, previous_status: before.status },
    });
    return after;
  });
}

/** Checks unchecked accounts again, and those whose provider refused a call; returns how many. */
export async function recheckCredentials(ctx: Ctx, limit = 10): Promise<number> {
  const due = await ctx.transact((tx) => updateCheckDue(tx, { limit, firstMs: firstCheckMs, longestMs: longestCheckMs }));
  await Promise.all(due.map((one) => recheck(ctx, one)));
  return due.length;
}

/** The claim already stored the time of the next check. An account that can't be read delays none of the others. */
async function recheck(ctx: Ctx, key: Tenant & { id: string }): Promise<void> {
  try {
    const row = await findCredentialRow(ctx.db, key, key.id);
    // A gateway that this program no longer has is skipped.
    if (row === null || ctx.gateways.find(row.gateway) === null) return;
    const checked = stillRefused(row, await check(ctx, row));
    await ctx.transact(async (tx) => {
      await write(tx, row, { checked, next: checked.checkInMs === null ? null : "as_before" });
      await noteChange(tx, ctx, { row, found: checked.found });
    });
  } catch (error) {
    if (isUnavailable(error)) throw error;
    ctx.log.error({ err: error, credential_id: key.id }, "a gateway account couldn't be checked");
  }
}

/** A refused account isn't used again before its provider accepts it, also if it can't be reached now. */
function stillRefused({ status, check_error }: CredentialRow, checked: Checked): Checked {
  if (status !== "failed" || checked.found.status !== "unchecked" || checked.found.check_error === null) return checked;
  return { ...checked, found: { ...checked.found, status, check_error } };
}

/** No one sees an account leave or come back by itself, so people get an email, and the audit log and the program's log say it. */
async function noteChange(tx: Tx, ctx: Ctx, { row, found }: { row: CredentialRow; found: CheckFound }): Promise<void> {
  const { status, check_error } = found;
  if (status === row.status || (status !== "failed" && row.status !== "failed")) return;
  const detail = { status, previous_status: row.status };
  ctx.log.warn({ gateway: row.gateway, credential: row.id, ...detail }, "whether a gateway account can be used has changed");
  await emitAccountChange(tx, ctx, { action: "gateway_credential.checked", credential: row, detail });
  const { project_id, livemode, id: credential_id, gateway, label } = row;
  const message = check_error?.message || null;
  const params = { project_id, livemode, credential_id, gateway, label: label || null, message, at: ctx.now().toISOString() };
  const kind = status === "failed" ? "gateway_account_refused" : "gateway_account_accepted";
  await notice(tx, ctx, { kind, recipient: project_id, params });
}

/** Stored fields that the gateway no longer accepts count as refused. */
async function check(ctx: Ctx, key: Tenant & { id: string }): Promise<Checked> {
  try {
    return await checkAccount(ctx, await openAccount(ctx, key, key.id));
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    const check_error = { code: error.code, message: error.message };
    return {
      found: { status: "failed", checked_at: null, check_error, account: null, account_name: null },
      checkInMs: null,
      attempt: null,
    };
  }
}

async function write(
  tx: Tx,
  key: Tenant & { id: string; fields_version: number },
  { checked, next }: { checked: Checked; next: number | "as_before" | null },
) {
  await updateChecked(tx, key, { found: checked.found, next });
  if (checked.attempt !== null) await writeAttempt(tx, checked.attempt);
}
