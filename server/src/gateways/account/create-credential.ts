import { type Ctx, platformErrors, type Tenant, type Tx } from "#platform/index.ts";
import { writeAttempt } from "../call/call-gateway.ts";
import { openWith } from "../call/open-account.ts";
import { credentialPlace, type Fields, sealFields, splitFields } from "../rows/secrets.ts";
import { type Credential, insertCredential, lockAccountCount, type NewCredential } from "../rows/sql.ts";
import { type Checked, checkAccount, refuseFailed } from "./check-account.ts";
import { type AccountChoices, checkInput, checkLimits } from "./check-input.ts";
import { emitAccountChange } from "./emit-account-change.ts";
import { type FaringCredential, findAdapter, shownAfter } from "./find-credential.ts";
import { trimFields } from "./trim-fields.ts";

export interface CredentialInput extends AccountChoices {
  gateway: string;
  fields: Record<string, string | null>;
}

const maxAccounts = 32;
export const usualWeight = 100;

/**
 * Adds an account with a payment provider and seals its secrets. The credentials are first checked with the provider: refused ones aren't
 * saved; if the provider can't be reached, the account is saved as `unchecked` and checked again automatically. Throws gateway_not_found,
 * parameter_invalid with every error, url_not_allowed, limit_reached.
 */
export async function createCredential(ctx: Ctx, tenant: Tenant, input: CredentialInput): Promise<FaringCredential> {
  const adapter = findAdapter(ctx, input.gateway);
  const fields = trimFields(adapter, {}, input.fields);
  checkLimits(limitsOf(input));
  await checkInput(ctx, adapter, { choices: input, fields, livemode: tenant.livemode });
  const draft = draftOf(ctx, tenant, { input, ...splitFields(adapter.manifest.fields, fields) });
  const checked = await checkAccount(ctx, openWith({ adapter, credential: { ...firstOf(draft) }, fields }));
  refuseFailed(checked.found);
  return ctx.transact((tx) => save(tx, ctx, { draft, checked, position: input.position }));
}

async function save(
  tx: Tx,
  ctx: Ctx,
  given: { draft: NewCredential; checked: Checked; position: number | undefined },
): Promise<FaringCredential> {
  const { draft, checked } = given;
  const tenant = { project_id: draft.project_id, livemode: draft.livemode };
  const { count, position } = await lockAccountCount(tx, tenant, draft.gateway);
  if (count >= maxAccounts)
    throw platformErrors.limit_reached({ message: `A project can have up to ${maxAccounts} gateway accounts in each environment.` });
  const row = { ...draft, ...checked.found, position: given.position ?? position + 1 };
  await insertCredential(tx, row, { checkInMs: checked.checkInMs });
  if (checked.attempt !== null) await writeAttempt(tx, checked.attempt);
  const made = await shownAfter(tx, tenant, row);
  await emitAccountChange(tx, ctx, {
    action: "gateway_credential.created",
    credential: made,
    detail: { account: made.account, status: made.status },
  });
  return made;
}

function limitsOf({ limits = {} }: AccountChoices): { min_minor: number | null; max_minor: number | null } {
  return { min_minor: limits.min_minor ?? null, max_minor: limits.max_minor ?? null };
}

interface Entered {
  input: CredentialInput;
  shown: Fields;
  secrets: Fields;
  secret_last4: Record<string, string>;
}

function draftOf(ctx: Ctx, { project_id, livemode }: Tenant, { input, shown, secrets, secret_last4 }: Entered): NewCredential {
  const id = ctx.id("gc");
  const { gateway, label = null, enabled = true, position = 0, weight = usualWeight, currencies = null } = input;
  return {
    ...{ project_id, livemode, id, gateway, demo: false, label, enabled, position, weight },
    ...limitsOf(input),
    currencies: currencies === null ? null : currencies.map((currency) => currency.toUpperCase()),
    ...{ fields: shown, secret_last4, sealed: sealFields(ctx.masterKeys, credentialPlace(id), secrets) },
    ...{ status: "unchecked", checked_at: null, check_error: null, account: null, account_name: null },
    ...{ created_at: ctx.now(), created_by: ctx.actor.id },
  };
}

/** The future account, for the call that checks it. */
function firstOf({ sealed: _sealed, ...draft }: NewCredential): Credential {
  return {
    ...draft,
    ...{
      fields_version: 1,
      consecutive_failures: 0,
      failing_since: null,
      breaker_until: null,
      is_paused: false,
      former_until: null,
      version: 1,
    },
    ...{
      comparison_status: null,
      compared_at: null,
      compared_until: null,
      compared_lines: 0,
      compared_differences: 0,
      comparison_error: null,
    },
    ...{ updated_at: draft.created_at, updated_by: draft.created_by, removed_at: null },
  };
}
