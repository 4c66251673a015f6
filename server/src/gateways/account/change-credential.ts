import { withPrevious } from "#audit/index.ts";
import { type Ctx, platformErrors, type Tenant, type Tx } from "#platform/index.ts";
import { writeAttempt } from "../call/call-gateway.ts";
import { openWith } from "../call/open-account.ts";
import type { GatewayAdapter } from "../port.ts";
import { deleteFormerFields, insertFormerFields } from "../rows/former.sql.ts";
import { credentialPlace, formerPlace, openFields, sealFields, splitFields } from "../rows/secrets.ts";
import { presentCredential, showCredential } from "../rows/show-credential.ts";
import { type Credential, type CredentialRow, findCredentialRow, updateChecked, updateCredential } from "../rows/sql.ts";
import { type Checked, checkAccount, refuseFailed } from "./check-account.ts";
import { type AccountChoices, checkInput, checkLimits } from "./check-input.ts";
import { emitAccountChange } from "./emit-account-change.ts";
import { type CredentialKey, type FaringCredential, findAdapter, holdCredential, shownAfter } from "./find-credential.ts";
import { trimFields } from "./trim-fields.ts";

export interface CredentialChange extends CredentialKey, AccountChoices {
  if_version: number | null;
  /** New values; null removes one. The others stay. */
  fields?: Record<string, string | null>;
  /** How long callbacks signed with the previous fields are still accepted. */
  expire_old_in_seconds?: number;
}

const usualOverlapSeconds = 86_400;
/** Each is tried on every callback that the newer ones don't verify. */
const formerMax = 3;

/** Replaced fields, with the provider's response to them. */
interface Renewed {
  adapter: GatewayAdapter;
  /** The fields that they replaced. */
  fields_version: number;
  before: Record<string, string>;
  fields: Record<string, string>;
  checked: Checked;
  seconds: number;
}

/**
 * Changes an account. New fields are checked with the provider like those of a new account, and must belong to the same account; calls use
 * them right away, and callbacks signed with the previous ones are accepted for one more day, or for the given time. Throws like
 * `createCredential`, and version_conflict.
 */
export async function changeCredential(ctx: Ctx, tenant: Tenant, change: CredentialChange): Promise<FaringCredential> {
  const adapter = findAdapter(ctx, change.gateway);
  const seen = presentCredential(await findCredentialRow(ctx.db, tenant, change.id), change.gateway);
  if (change.if_version !== null && change.if_version !== seen.version)
    throw platformErrors.version_conflict({ fields: { version: seen.version } });
  if (seen.demo && change.fields !== undefined)
    throw platformErrors.parameter_conflict({
      param: "fields",
      reason: "demo_account",
      message: "A demo account doesn't have fields to change.",
    });
  const renewed = await renew(ctx, adapter, { seen, change });
  return ctx.transact((tx) => save(tx, ctx, { tenant, change, renewed }));
}

async function renew(
  ctx: Ctx,
  adapter: GatewayAdapter,
  { seen, change }: { seen: CredentialRow; change: CredentialChange },
): Promise<Renewed | null> {
  const { livemode, fields_version } = seen;
  if (change.fields === undefined) {
    await checkInput(ctx, adapter, { choices: change, fields: null, livemode });
    return null;
  }
  const before = { ...seen.fields, ...openFields(ctx.masterKeys, credentialPlace(seen.id), seen.sealed) };
  const fields = trimFields(adapter, before, change.fields);
  await checkInput(ctx, adapter, { choices: change, fields, livemode });
  const credential = { ...showCredential(seen), status: "unchecked" as const, fields_version: fields_version + 1 };
  const checked = await checkAccount(ctx, openWith({ adapter, credential, fields }));
  refuseFailed(checked.found);
  return { adapter, fields_version, before, fields, checked, seconds: change.expire_old_in_seconds ?? usualOverlapSeconds };
}

async function save(
  tx: Tx,
  ctx: Ctx,
  given: { tenant: Tenant; change: CredentialChange; renewed: Renewed | null },
): Promise<FaringCredential> {
  const { tenant, change, renewed } = given;
  const row = await holdCredential(tx, tenant, change);
  if (renewed !== null && renewed.fields_version !== row.fields_version)
    throw platformErrors.version_conflict({ fields: { version: row.version } });
  const next = { ...row, ...choicesOf(row, change), updated_by: ctx.actor.id };
  checkLimits(next);
  if (renewed === null) await updateCredential(tx, next);
  else await replaceFields(tx, ctx, { next, renewed });
  const changed = await shownAfter(tx, tenant, change);
  const fields = renewed === null ? {} : { fields_changed: changedIn(renewed), former_until: changed.former_until };
  await emitAccountChange(tx, ctx, {
    action: renewed === null ? "gateway_credential.updated" : "gateway_credential.rotated",
    credential: changed,
    detail: { ...withPrevious(choicesIn(changed), choicesIn(row)), ...fields },
  });
  return changed;
}

async function replaceFields(tx: Tx, ctx: Ctx, { next, renewed }: { next: CredentialRow; renewed: Renewed }): Promise<void> {
  const { project_id, livemode, id } = next;
  const of = { project_id, livemode, credential_id: id };
  const { adapter, before, fields, fields_version, checked, seconds } = renewed;
  if (seconds > 0) {
    const sealed = sealFields(ctx.masterKeys, formerPlace(id, fields_version), before);
    await insertFormerFields(tx, of, { former: { fields_version, sealed }, seconds });
  }
  await deleteFormerFields(tx, of, { except: seconds > 0 ? formerMax : 0 });
  const { shown, secrets, secret_last4 } = splitFields(adapter.manifest.fields, fields);
  const sealed = sealFields(ctx.masterKeys, credentialPlace(id), secrets);
  await updateCredential(tx, { ...next, fields: shown, secret_last4, sealed, fields_version: fields_version + 1 });
  await updateChecked(
    tx,
    { project_id, livemode, id, fields_version: fields_version + 1 },
    { found: checked.found, next: checked.checkInMs },
  );
  if (checked.attempt !== null) await writeAttempt(tx, checked.attempt);
}

type Choices = Pick<Credential, "label" | "enabled" | "position" | "weight" | "min_minor" | "max_minor" | "currencies">;

function choicesOf(row: CredentialRow, { label, enabled, position, weight, limits = {}, currencies }: CredentialChange): Choices {
  return {
    label: label === undefined ? row.label : label,
    enabled: enabled ?? row.enabled,
    position: position ?? row.position,
    weight: weight ?? row.weight,
    min_minor: limits.min_minor === undefined ? row.min_minor : limits.min_minor,
    max_minor: limits.max_minor === undefined ? row.max_minor : limits.max_minor,
    currencies: currencies === undefined ? row.currencies : (currencies?.map((currency) => currency.toUpperCase()) ?? null),
  };
}

function choicesIn({ label, enabled, position, weight, min_minor, max_minor, currencies }: Choices): Record<string, unknown> {
  return { label, enabled, position, weight, min_minor, max_minor, currencies };
}

/** Names of the changed fields. */
function changedIn({ before, fields }: Renewed): string[] {
  return [...new Set([...Object.keys(before), ...Object.keys(fields)])].filter((name) => before[name] !== fields[name]).sort();
}
