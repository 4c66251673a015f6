import type { FastifyRequest } from "fastify";
import { showWebhook } from "#schemas/index.ts";
import { type EndpointRow, findStats } from "#webhooks/index.ts";

/** An endpoint as the API returns it, with the state of its deliveries. `secret` is the one just created. */
export async function answerWebhook(request: FastifyRequest, row: EndpointRow, secret: string | null = null) {
  return showWebhook(row, (await findStats(request.ctx, request.tenant, [row.id])).get(row.id), secret);
}
