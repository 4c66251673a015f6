import type { FastifyPluginAsync } from "fastify";
import { bindContext, createAuthPipeline, readLargeBodies, requireDeclarations, sayReplayed } from "#requests/index.ts";
import { batchRoutes } from "./batches.ts";
import { callRoutes } from "./calls/calls.ts";
import { recordingRoutes } from "./calls/recordings.ts";
import { domainRoutes } from "./domains.ts";
import { emailActionRoutes } from "./email-actions.ts";
import { emailRoutes } from "./emails.ts";
import { inboundRoutes } from "./inbound.ts";
import { numberRoutes } from "./numbers.ts";
import { smsRoutes } from "./sms/sms.ts";
import { smsActionRoutes } from "./sms/sms-actions.ts";
import { smsBatchRoutes } from "./sms/sms-batches.ts";
import { smsThreadRoutes } from "./sms/sms-threads.ts";
import { suppressionRoutes } from "./suppressions.ts";
import { usageRoutes } from "./usage.ts";
import { verificationActionRoutes } from "./verifications/verification-actions.ts";
import { verificationRoutes } from "./verifications/verifications.ts";

const surface = [
  emailRoutes,
  emailActionRoutes,
  smsRoutes,
  smsActionRoutes,
  smsBatchRoutes,
  smsThreadRoutes,
  callRoutes,
  recordingRoutes,
  verificationRoutes,
  verificationActionRoutes,
  batchRoutes,
  inboundRoutes,
  domainRoutes,
  suppressionRoutes,
  numberRoutes,
  usageRoutes,
];

/** /v1: the messaging API, with the same keys as /api/v1. The server doesn't start if a route declares no permission. */
export const messaging: FastifyPluginAsync = async (app) => {
  requireDeclarations(app, []);
  const pipeline = createAuthPipeline(app);
  app.addHook("onRequest", (request, reply, done) => pipeline({ request, reply }, done));
  app.addHook("preValidation", (request, _reply, done) => {
    if (request.body === undefined && request.route.schema?.body !== undefined) request.body = {};
    done();
  });
  app.addHook("preHandler", (request, _reply, done) => {
    bindContext(app, request);
    done();
  });
  readLargeBodies(app);
  app.addHook("onSend", (request, reply, payload, done) => {
    sayReplayed(request, reply);
    done(null, payload);
  });
  for (const routes of surface) await app.register(routes);
};
