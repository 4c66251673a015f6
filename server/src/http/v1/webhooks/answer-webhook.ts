import type { FastifyRequest } from "fastify";
import { showWebhook } from "#schemas/index.ts";
import { type EndpointRow, findStats } from "#webhooks/index.ts";

/** An endpoint as the API answers it, with how its deliveries have been going. `secret` is the one just made. */
export async function answerWebhook(request: FastifyRequest, row: EndpointRow, secret: string | null = null) {
  return showWebhook(row, (await findStats(request.ctx, request.tenant, [row.id])).get(row.id), secret);
}
