import { randomBytes } from "node:crypto";
import { type AuditEntry, recordAudits } from "#audit/index.ts";
import { allScopes } from "#identity/index.ts";
import { hashKeyText, makeKeyText } from "#identity/keys/key-text.ts";
import { insertApiKey } from "#identity/keys/sql.ts";
import { insertMerchant, updateVerification } from "#identity/merchants/sql.ts";
import { type Ctx, commitWith, known, notice, type Tenant, type Tx } from "#platform/index.ts";
import { insertProject } from "#projects/sql.ts";

interface KeyOfMerchant {
  merchant_id: string;
  key: string;
  key_id: string;
}

interface NewTenant {
  livemode: boolean;
  verified: boolean;
  permissions: readonly string[];
  currency: string;
}

/** The permissions of a key unless a test chooses others. In LIVE a key that reports transfers may do nothing else. */
export function usualScopes(livemode: boolean): readonly string[] {
  return livemode ? allScopes.filter((scope) => scope !== "receipts:write") : allScopes;
}

/** The account whose transfers a key reports. */
export function reportedAccount(livemode: boolean, permissions: readonly string[]): string | null {
  return livemode && permissions.includes("receipts:write") ? "alipay:main" : null;
}

/**
 * A merchant with a project and a key, with the rows that creating, verifying and opening them would write, but in one transaction: nearly
 * every test begins with this.
 */
export async function insertTenant(ctx: Ctx, given: NewTenant): Promise<Tenant & KeyOfMerchant> {
  const ids = { merchant_id: ctx.id("mer"), project_id: ctx.id("prj"), key_id: ctx.id("key"), created_at: ctx.now() };
  const key = makeKeyText(given.livemode);
  await ctx.transact(async (tx) => {
    await insertOwner(tx, { ...given, ...ids });
    await insertKey(tx, ctx, { ...given, ...ids, key });
    await commitWith(tx, (pipe) => [
      recordAudits(pipe, entriesOf(ctx, { ...given, ...ids })),
      given.verified ? notice(pipe, ctx, { kind: "merchant_verified", recipient: ids.merchant_id, params: {} }) : known(pipe, undefined),
    ]);
  });
  const { merchant_id, project_id, key_id } = ids;
  return { project_id, livemode: given.livemode, merchant_id, key, key_id };
}

interface Ids extends NewTenant {
  merchant_id: string;
  project_id: string;
  key_id: string;
  created_at: Date;
}

async function insertOwner(tx: Tx, { merchant_id, project_id, verified, currency, created_at }: Ids): Promise<void> {
  await insertMerchant(tx, { id: merchant_id, display_name: "Corner Books", country: null, messaging_tier: "free", created_at });
  if (verified) await updateVerification(tx, merchant_id, { status: "verified", reason: null });
  const slug = `shop-${randomBytes(4).toString("hex")}`;
  await insertProject(tx, { id: project_id, merchant_id, name: "Shop", slug, default_currency: currency, settings: {}, created_at });
}

async function insertKey(tx: Tx, ctx: Ctx, given: Ids & { key: string }): Promise<void> {
  const { project_id, livemode, key_id, key, permissions, created_at } = given;
  await insertApiKey(
    tx,
    {
      ...{ project_id, livemode, id: key_id, name: "test", prefix: key.slice(0, 9), last4: key.slice(-4) },
      ...{ permissions: [...new Set(permissions)], allowed_ips: [], expires_at: null, rotated_from: null },
      receiving_account: reportedAccount(livemode, permissions),
      created_by: ctx.actor.id,
      created_at,
    },
    hashKeyText(key),
  );
}

function entriesOf(ctx: Ctx, { merchant_id, project_id, livemode, key_id, verified, permissions }: Ids): AuditEntry[] {
  const merchant = { ctx, tenant: null, merchant_id, object_type: "merchant", object_id: merchant_id };
  const receiving_account = reportedAccount(livemode, permissions);
  return [
    { ...merchant, action: "merchant.created", detail: {} },
    ...(verified ? [{ ...merchant, action: "merchant.verified", detail: { previous_verification_status: "pending" } }] : []),
    { ...merchant, action: "project.created", object_type: "project", object_id: project_id, detail: { name: "Shop" } },
    {
      ctx,
      tenant: { project_id, livemode },
      action: "api_key.created",
      object_type: "api_key",
      object_id: key_id,
      detail: { name: "test", permissions: [...new Set(permissions)], ...(receiving_account === null ? {} : { receiving_account }) },
    },
  ];
}
