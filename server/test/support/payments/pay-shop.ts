import { putProfile } from "#collection/index.ts";
import { createOrder, type OrderRow } from "#orders/index.ts";
import type { OrderInput } from "#orders/order/check-new-order.ts";
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

export async function payShop(app: TestApp, options: ShopOptions = {}): Promise<PayShop> {
  const { matching, ...rest } = options;
  const tenant = await app.tenant(rest);
  const codes = { wechat: wechatCode, alipay: alipayCode } as const;
  for (const channel of ["wechat", "alipay"] as const) {
    await putProfile(app.ctx, tenant, {
      channel,
      if_version: null,
      qr_payload: codes[channel],
      enabled: true,
      payee_name: "张*",
      ...(matching === undefined ? {} : { matching }),
    });
  }
  return {
    tenant,
    async order(input = {}) {
      const { order, link } = await createOrder(app.ctx, tenant, { amount_minor: 9900, currency: "CNY", ...input });
      if (link === null) throw new Error("an order without a link");
      return { order, token: link.token };
    },
  };
}
