import { recordAudit } from "#audit/index.ts";
import { type Ctx, findNow, platformErrors, type Tenant, type Tx } from "#platform/index.ts";
import { checkKeyInput, checkReceiptKey } from "./check-key-input.ts";
import { hashKeyText, makeKeyText } from "./key-text.ts";
import { type ApiKey, showApiKey } from "./show-api-key.ts";
import { insertApiKey, lockKeyCount } from "./sql.ts";

export interface NewApiKey extends Tenant {
  name: string;
  permissions: string[];
  allowed_ips?: string[];
  expires_at?: Date | null;
  /** The account whose transfers it may report, as `channel:account`. Required for a LIVE key with receipts:write. */
  receiving_account?: string | null;
  /** The creator's permissions; absent for the command line, which has all. */
  grantable?: ReadonlySet<string>;
}

/** Creates a key. Throws limit_reached after a hundred active ones. `secret` is only returned here; it is null in a replayed response. */
export async function createApiKey(ctx: Ctx, input: NewApiKey): Promise<ApiKey & { secret: string | null }> {
  checkKeyInput(input, { now: await findNow(ctx.db), grantable: input.grantable ?? null });
  const receiving_account = input.receiving_account ?? null;
  checkReceiptKey({ permissions: input.permissions, receiving_account }, input.livemode);
  const secret = makeKeyText(input.livemode);
  const row = await ctx.transact(async (tx) => {
    await requireRoom(tx, input, { replaces: false });
    const now = await findNow(tx);
    const inserted = await insertApiKey(
      tx,
      {
        project_id: input.project_id,
        livemode: input.livemode,
        id: ctx.id("key"),
        name: input.name,
        prefix: secret.slice(0, 9),
        last4: secret.slice(-4),
        permissions: [...new Set(input.permissions)],
        allowed_ips: input.allowed_ips ?? [],
        expires_at: input.expires_at ?? null,
        rotated_from: null,
        receiving_account,
        created_by: ctx.actor.id,
        created_at: now,
      },
      hashKeyText(secret),
    );
    await recordAudit(tx, {
      ctx,
      tenant: input,
      action: "api_key.created",
      object_type: "api_key",
      object_id: inserted.id,
      detail: { name: input.name, permissions: inserted.permissions, ...(receiving_account === null ? {} : { receiving_account }) },
    });
    return inserted;
  });
  return { ...showApiKey(row, row.created_at), secret: ctx.claim?.replayed === true ? null : secret };
}

const maxKeys = 100;

/**
 * Throws limit_reached if a project has as many active keys in an environment as it can have. While keys are being replaced, the old ones
 * still work beside the new ones, so there can be twice as many.
 */
export async function requireRoom(tx: Tx, tenant: Tenant, { replaces }: { replaces: boolean }): Promise<void> {
  if ((await lockKeyCount(tx, tenant)) >= (replaces ? 2 * maxKeys : maxKeys))
    throw platformErrors.limit_reached({ message: `A project can have up to ${maxKeys} active API keys in each environment.` });
}
