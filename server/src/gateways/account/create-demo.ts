import { AppError, type Ctx, platformErrors, type Tenant, type Tx } from "#platform/index.ts";
import { type DemoDocument, insertDemoDocument } from "../demo/documents.sql.ts";
import { openDemoAccount } from "../demo/open-demo-account.ts";
import type { GatewayAdapter } from "../port.ts";
import { credentialPlace, sealFields, splitFields } from "../rows/secrets.ts";
import { showCredential } from "../rows/show-credential.ts";
import { type Credential, insertCredential, listCredentialRows, lockAccountCount, type NewCredential } from "../rows/sql.ts";
import { type AccountChoices, checkInput, checkLimits, refuseFields } from "./check-input.ts";
import { usualWeight } from "./create-credential.ts";
import { emitAccountChange } from "./emit-account-change.ts";
import { findAdapter, shownAfter } from "./find-credential.ts";

export interface DemoInput extends AccountChoices {
  gateway: string;
}

/**
 * Adds a gateway's demo account in TEST, or returns the existing one: its provider is simulated inside this program, and it takes payments
 * while the gateway has no other account. Throws environment_mismatch in LIVE, and the errors of `createCredential`.
 */
export async function createDemo(ctx: Ctx, tenant: Tenant, input: DemoInput): Promise<{ credential: Credential; created: boolean }> {
  const adapter = findAdapter(ctx, input.gateway);
  if (tenant.livemode) throw platformErrors.environment_mismatch();
  checkLimits(limitsOf(input));
  await checkInput(ctx, adapter, { choices: input, fields: null, livemode: false });
  const known = await findDemo(ctx.db, tenant, input.gateway);
  if (known !== null) return { credential: known, created: false };
  const id = ctx.id("gc");
  const { fields, documents } = await openDemoAccount(ctx, adapter, { id });
  refuseFields(adapter, fields, tenant);
  const draft = draftOf(ctx, adapter, { tenant, input, id, fields });
  return ctx.transact((tx) => save(tx, ctx, { draft, documents, input }));
}

/**
 * Creates a demo account for a gateway without any account in TEST, so that it can be used right away. Does nothing in LIVE. It's a step of
 * another request, which keeps its own Idempotency-Key.
 */
export async function provideDemo(ctx: Ctx, tenant: Tenant, gateway: string): Promise<void> {
  if (tenant.livemode || (await listCredentialRows(ctx.db, tenant, gateway)).length > 0) return;
  try {
    await createDemo({ ...ctx, claim: null, transact: ctx.transactUnclaimed }, tenant, { gateway });
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    // For example a gateway that requires https on a server without it. The gateway isn't set up then, and the caller gets the error.
    ctx.log.warn({ err: error, gateway }, "this gateway can't be simulated here");
  }
}

async function findDemo(db: Ctx["db"], tenant: Tenant, gateway: string): Promise<Credential | null> {
  const row = (await listCredentialRows(db, tenant, gateway)).find(({ demo }) => demo);
  return row === undefined ? null : showCredential(row);
}

interface Drafted {
  draft: NewCredential;
  documents: readonly DemoDocument[];
  input: DemoInput;
}

async function save(tx: Tx, ctx: Ctx, { draft, documents, input }: Drafted): Promise<{ credential: Credential; created: boolean }> {
  const { project_id, livemode, id, gateway } = draft;
  const tenant = { project_id, livemode };
  const { position } = await lockAccountCount(tx, tenant, gateway);
  const known = await findDemo(tx, tenant, gateway);
  if (known !== null) return { credential: known, created: false };
  await insertCredential(tx, { ...draft, position: input.position ?? position + 1 }, { checkInMs: null });
  for (const document of documents) await insertDemoDocument(tx, { ...tenant, id, gateway }, { ...document, lasting: true });
  const credential = await shownAfter(tx, tenant, draft);
  await emitAccountChange(tx, ctx, {
    action: "gateway_credential.created",
    credential,
    detail: { account: credential.account, status: credential.status, demo: true },
  });
  return { credential, created: true };
}

function limitsOf({ limits = {} }: AccountChoices): { min_minor: number | null; max_minor: number | null } {
  return { min_minor: limits.min_minor ?? null, max_minor: limits.max_minor ?? null };
}

/** The simulated provider knows its credentials. */
function draftOf(
  ctx: Ctx,
  adapter: GatewayAdapter,
  given: { tenant: Tenant; input: DemoInput; id: string; fields: Record<string, string> },
): NewCredential {
  const { tenant, input, id, fields } = given;
  const { gateway, label = null, enabled = true, weight = usualWeight, currencies = null } = input;
  const { shown, secrets, secret_last4 } = splitFields(adapter.manifest.fields, fields);
  return {
    ...{ project_id: tenant.project_id, livemode: false, id, gateway, demo: true, label, enabled, position: 0, weight },
    ...limitsOf(input),
    currencies: currencies === null ? null : currencies.map((currency) => currency.toUpperCase()),
    ...{ fields: shown, secret_last4, sealed: sealFields(ctx.masterKeys, credentialPlace(id), secrets) },
    ...{
      status: "checked",
      checked_at: ctx.now(),
      check_error: null,
      account: adapter.open(fields, { livemode: false }).id,
      account_name: null,
    },
    ...{ created_at: ctx.now(), created_by: ctx.actor.id },
  };
}
