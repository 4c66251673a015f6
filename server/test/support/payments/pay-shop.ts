import { recordAudits } from "#audit/index.ts";
import { insertAccount } from "#collection/account/sql.ts";
import { type ProfileRow, putProfile } from "#collection/index.ts";
import { insertProfile } from "#collection/profile/sql.ts";
import { createOrder, type OrderRow } from "#orders/index.ts";
import type { OrderInput } from "#orders/order/check-new-order.ts";
import { type Ctx, commitWith, type Tenant } from "#platform/index.ts";
import type { TenantOptions, TestApp, TestTenant } from "#test/support/app/test-app.ts";

export const wechatCode = "wxp://f2f0ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefgh";
export const alipayCode = "https://qr.alipay.com/fkx12345abcdefghijklmn";

/** A project with both receiving codes set, and orders with links created in it. */
export interface PayShop {
  tenant: TestTenant;
  order(input?: Partial<OrderInput>): Promise<{ order: OrderRow; token: string }>;
}

export interface ShopOptions extends TenantOptions {
  matching?: { mode?: "exact" | "remark" | "unique_amount"; max_offset_minor?: number; strict?: boolean };
}

const codes = { wechat: wechatCode, alipay: alipayCode } as const;
const channels = ["wechat", "alipay"] as const;

export async function payShop(app: TestApp, options: ShopOptions = {}): Promise<PayShop> {
  const { matching, ...rest } = options;
  const tenant = await app.tenant(rest);
  const isPlain = matching === undefined && !tenant.livemode && rest.merchant_id === undefined;
  if (isPlain) await insertCodes(app.ctx, tenant);
  else for (const channel of channels) await putCode(app.ctx, tenant, { channel, matching });
  return {
    tenant,
    async order(input = {}) {
      const { order, link } = await createOrder(app.ctx, tenant, { amount_minor: 9900, currency: "CNY", ...input });
      if (link === null) throw new Error("an order without a link");
      return { order, token: link.token };
    },
  };
}

interface Code {
  channel: (typeof channels)[number];
  matching: ShopOptions["matching"];
}

async function putCode(ctx: Ctx, tenant: Tenant, { channel, matching }: Code): Promise<void> {
  await putProfile(ctx, tenant, {
    channel,
    if_version: null,
    qr_payload: codes[channel],
    enabled: true,
    payee_name: "张*",
    ...(matching === undefined ? {} : { matching }),
  });
}

/** Writes what `putProfile` would for both codes of a new merchant in TEST, in one transaction: many tests begin with it. */
async function insertCodes(ctx: Ctx, { project_id, livemode, merchant_id }: TestTenant): Promise<void> {
  const [now, account_ref] = [ctx.now(), "main"];
  const rows = channels.map(
    (channel): ProfileRow => ({
      ...{ project_id, livemode, id: ctx.id("cp"), channel, enabled: true, qr_payload: codes[channel], qr_asset_id: null },
      ...{ payee_name: "张*", instructions: {}, matching: { mode: "exact", max_offset_minor: 99, strict: false }, session_minutes: 30 },
      ...{ limits: { min_minor: null, max_minor: null, daily_total_minor: null }, account_ref, ignore_rules: [], version: 1 },
      ...{ code_changed_at: now, created_at: now, updated_at: now, updated_by: ctx.actor.id },
    }),
  );
  const entryOf = ({ id, channel, qr_payload }: ProfileRow) => ({
    ctx,
    tenant: { project_id, livemode },
    action: "collection_profile.updated",
    object_type: "collection_profile",
    object_id: id,
    detail: {
      ...{ channel, version: 1, enabled: true, account_ref, ignore_rules: [], code_changed: true },
      ...{ qr_payload, previous_qr_payload: null },
    },
  });
  await ctx.transact(async (tx) => {
    for (const row of rows) {
      await insertAccount(tx, { merchant_id, livemode, channel: row.channel, account_ref });
      await insertProfile(tx, row);
    }
    await commitWith(tx, (pipe) => [recordAudits(pipe, rows.map(entryOf))]);
  });
}
