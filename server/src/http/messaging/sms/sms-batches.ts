import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import { type BatchShape, batchIn, refTo, showCreatedBatch, smsAliases, smsBatchDocument, smsBatchIn, smsIn } from "#schemas/index.ts";
import { createSmsBatch, type SmsInput, smsChannel } from "#sms/index.ts";
import { batchHeaders } from "../batches.ts";
import { createBatchReader } from "../read-batch.ts";
import { smsFaults } from "./sms.ts";

/** Many messages in one request. */
export const smsBatchRoutes: FastifyPluginAsyncTypebox = async (app) => {
  const readBatch = createBatchReader<SmsInput>({ batch: smsBatchIn, item: smsIn, names: ["messages"], aliases: smsAliases });
  app.post(
    "/sms/batch",
    {
      bodyLimit: 1_048_576,
      config: { scope: "sms:write", movesMoney: true, errors: [...smsFaults, "batch_too_large"], document: smsBatchDocument },
      schema: {
        operationId: "createSmsBatch",
        tags: ["SMS"],
        summary: "Send up to 100 SMS",
        description: "Each message takes the same fields as a single SMS. An `Idempotency-Key` covers the whole batch.",
        headers: batchHeaders,
        body: batchIn,
        response: { 201: refTo<BatchShape>("Batch") },
      },
    },
    async (request, reply) => {
      const { messaging_tier: tier } = request.principal;
      const strict = request.headers["x-batch-validation"] !== "permissive";
      const made = await createSmsBatch(request.ctx, request.tenant, { tier, strict, ...readBatch(request.body) });
      return reply.code(201).send(showCreatedBatch(request.tenant, smsChannel.name, made));
    },
  );
};
