import type { FastifyPluginAsync } from "fastify";
import { bindContext, createAuthPipeline, requireDeclarations, sayReplayed } from "#requests/index.ts";
import { afterPipeline, aliasFlatPaths } from "../v1-flat/index.ts";
import { apiKeyRoutes } from "./api-keys.ts";
import { assetRoutes } from "./assets.ts";
import { collectionProfileRoutes } from "./collection-profiles.ts";
import { exceptionRoutes } from "./exceptions.ts";
import { figureRoutes } from "./figures.ts";
import { gatewayAttemptRoutes } from "./gateways/attempts.ts";
import { credentialRoutes } from "./gateways/credentials.ts";
import { gatewayRoutes } from "./gateways/gateways.ts";
import { gatewayPaymentRoutes } from "./gateways/payments.ts";
import { gatewaySetupRoutes } from "./gateways/setup.ts";
import { merchantRoutes } from "./merchant.ts";
import { messagingLimitRoutes } from "./messaging-limits.ts";
import { orderActionRoutes } from "./orders/order-actions.ts";
import { orderPartRoutes } from "./orders/order-parts.ts";
import { orderVoucherRoute } from "./orders/order-voucher.ts";
import { orderRoutes } from "./orders/orders.ts";
import { paymentRoutes } from "./orders/payments.ts";
import { refundRoutes } from "./orders/refunds.ts";
import { reviewQueueRoutes } from "./orders/review-queue.ts";
import { projectRoutes } from "./projects.ts";
import { receiptActionRoutes } from "./receipts/receipt-actions.ts";
import { receiptImportRoutes } from "./receipts/receipt-imports.ts";
import { receiptRoutes } from "./receipts/receipts.ts";
import { teamRoutes } from "./team.ts";
import { transactionRoutes } from "./transactions.ts";
import { callbackSecretRoutes } from "./webhooks/callback-secret.ts";
import { eventStreamRoute } from "./webhooks/event-stream.ts";
import { eventRoutes } from "./webhooks/events.ts";
import { webhookActionRoutes } from "./webhooks/webhook-actions.ts";
import { webhookAttemptRoutes } from "./webhooks/webhook-attempts.ts";
import { webhookRoutes } from "./webhooks/webhooks.ts";

const surface = [
  merchantRoutes,
  teamRoutes,
  projectRoutes,
  apiKeyRoutes,
  orderRoutes,
  orderActionRoutes,
  orderPartRoutes,
  paymentRoutes,
  refundRoutes,
  reviewQueueRoutes,
  orderVoucherRoute,
  exceptionRoutes,
  figureRoutes,
  transactionRoutes,
  assetRoutes,
  collectionProfileRoutes,
  gatewayRoutes,
  gatewayPaymentRoutes,
  credentialRoutes,
  gatewayAttemptRoutes,
  gatewaySetupRoutes,
  receiptRoutes,
  receiptActionRoutes,
  receiptImportRoutes,
  webhookRoutes,
  webhookActionRoutes,
  webhookAttemptRoutes,
  callbackSecretRoutes,
  messagingLimitRoutes,
  eventRoutes,
  eventStreamRoute,
];

/** /api/v1: API keys and signed-in people. The server doesn't start if a route doesn't declare who can call it. */
export const v1: FastifyPluginAsync = async (app) => {
  requireDeclarations(app, ["any_key", "session"]);
  aliasFlatPaths(app);
  const pipeline = createAuthPipeline(app);
  app.addHook("onRequest", (request, reply, done) => {
    const exchange = { request, reply };
    pipeline(exchange, afterPipeline(app, exchange, done));
  });
  app.addHook("preValidation", (request, _reply, done) => {
    if (request.body === undefined && request.route.schema?.body !== undefined) request.body = {};
    done();
  });
  app.addHook("preHandler", (request, _reply, done) => {
    bindContext(app, request);
    done();
  });
  app.addHook("onSend", (request, reply, payload, done) => {
    sayReplayed(request, reply);
    done(null, payload);
  });
  for (const routes of surface) await app.register(routes);
};
