import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import { findMerchantOverview, setMerchantSending } from "#identity/index.ts";
import { type MerchantOverviewShape, pathOf, refTo, showMerchantOverview, suspensionIn } from "#schemas/index.ts";

const tags = ["Operators"];
const params = pathOf("id");
const response = { 200: refTo<MerchantOverviewShape>("MerchantOverview") };
const config = { scope: "operator", confirmed: true, errors: ["resource_missing"] } as const;

/** Suspends and resumes a merchant's LIVE sending. */
export const suspensionRoutes: FastifyPluginAsyncTypebox = async (app) => {
  app.post(
    "/merchants/:id/suspend-sending",
    {
      config,
      schema: {
        operationId: "suspendSending",
        tags,
        summary: "Suspend a merchant's LIVE sending",
        description:
          "New LIVE messages are refused with `sending_suspended`; queued ones are on hold and expire as usual. TEST keeps working. The owners get an email with the reason.",
        params,
        body: suspensionIn,
        response,
      },
    },
    async (request) => {
      const { id } = await setMerchantSending(request.ctx, { merchant_id: request.params.id, reason: request.body.reason });
      return showMerchantOverview(await findMerchantOverview(request.ctx, id));
    },
  );
  app.post(
    "/merchants/:id/resume-sending",
    {
      config,
      schema: {
        operationId: "resumeSending",
        tags,
        summary: "Lift the suspension of a merchant's LIVE sending",
        description: "Messages on hold are sent. The owners get an email.",
        params,
        response,
      },
    },
    async (request) => {
      const { id } = await setMerchantSending(request.ctx, { merchant_id: request.params.id, reason: null });
      return showMerchantOverview(await findMerchantOverview(request.ctx, id));
    },
  );
};
