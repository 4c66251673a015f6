import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import { findMerchant, type MerchantRow } from "#identity/index.ts";
import { platformErrors } from "#platform/index.ts";
import { refTo } from "../schemas/fields.ts";
import { type MerchantShape, showMerchant } from "../shapes/merchant.ts";

export const merchantRoutes: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    "/merchant",
    {
      config: { scope: "any_key" },
      schema: {
        operationId: "getMerchant",
        tags: ["Merchant"],
        summary: "Retrieve the merchant",
        description: "The account that the credentials belong to. Use it to find out whether a key works.",
        response: { 200: refTo<MerchantShape>("Merchant") },
      },
    },
    async (request) => {
      const merchant: MerchantRow | null = await findMerchant(request.ctx.db, request.principal.merchant_id);
      if (merchant === null) throw platformErrors.resource_missing();
      return showMerchant(merchant);
    },
  );
};
