import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import { callChannel } from "#calls/index.ts";
import { emailChannel } from "#email/index.ts";
import { findSending, listUsage, readTierLimits } from "#messaging/index.ts";
import { refTo, showUsage, type UsageShape } from "#schemas/index.ts";
import { smsChannel } from "#sms/index.ts";

/** How much of its tier a project uses. */
export const usageRoutes: FastifyPluginAsyncTypebox = async (app) => {
  const tiers = readTierLimits(app.runtime.ctx.channels.all, app.runtime.settings.tierLimits);
  app.get(
    "/usage",
    {
      config: { scope: "emails:read", alsoScopes: ["sms:read", "calls:read"] },
      schema: {
        operationId: "getUsage",
        tags: ["Email", "SMS", "Calls"],
        summary: "Retrieve usage and quotas",
        description: "What was sent, compared with the tier's quotas. TEST and LIVE are counted separately.",
        response: { 200: refTo<UsageShape>("Usage") },
      },
    },
    async (request) => {
      const { messaging_tier: tier, merchant_id } = request.principal;
      const sending = await findSending(request.ctx, request.tenant, merchant_id);
      const emails = await listUsage(request.ctx, request.tenant, { channel: emailChannel, tier });
      const sms = await listUsage(request.ctx, request.tenant, { channel: smsChannel, tier });
      const calls = await listUsage(request.ctx, request.tenant, { channel: callChannel, tier });
      return showUsage(request.tenant, { tier, limits: tiers[tier], emails, sms, calls, sending });
    },
  );
};
