import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import {
  initiatePayment,
  noVisit,
  query,
  readVisit,
  reportByBuyer,
  requestBuyerIdentity,
  simulateByBuyer,
  submitProof,
  viewPayment,
  visitCookie,
  withdrawByBuyer,
} from "#checkout/index.ts";
import { awayOf, sessionView } from "#orders/index.ts";
import { bindUpload, checkFields, filledFields, isUpload, readBodyWithoutFile, readUpload } from "#requests/index.ts";
import { type PaymentSessionShape, pathOf, refTo, voucherForm, voucherFormDocument } from "#schemas/index.ts";
import { backToPage, buyerOf, buyersDevice, leadAway, requestedOf, wantsHtml } from "./pay-request.ts";
import { initiateIn, nothingIn, pageOut, proofOut, reportIn } from "./pay-shapes.ts";

const params = pathOf("token");
const tags = ["Payment links"];
const stateErrors = ["order_already_paid", "order_state_conflict", "session_active"];

/** The buyer's actions. A browser's form gets 303 back to the page, a program gets JSON. */
export const payApiRoutes: FastifyPluginAsyncTypebox = async (app) => {
  await app.register(viewRoute);
  await app.register(initiateRoute);
  await app.register(reportRoute);
  await app.register(withdrawRoute);
  await app.register(simulateRoute);
  await app.register(proofRoute);
};

const viewRoute: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    "/api/public/pay/:token",
    {
      config: { scope: "public", linkLimit: "read", errors: ["payment_link_not_found"] },
      schema: { operationId: "getPaymentPage", tags, summary: "Retrieve a payment page", params, response: { 200: pageOut } },
    },
    (request) => viewPayment(request.ctx, request.params),
  );
};

const initiateRoute: FastifyPluginAsyncTypebox = async (app) => {
  app.post(
    "/api/public/pay/:token/initiate",
    {
      config: {
        scope: "public",
        linkLimit: "initiate",
        errors: [
          "payment_link_not_found",
          "payment_link_expired",
          "payment_link_revoked",
          "merchant_not_verified",
          "collection_profile_missing",
          "no_free_amount",
          "unsupported_currency",
          "amount_out_of_range",
          "limit_reached",
          "gateway_not_configured",
          "gateway_error",
          "gateway_timeout",
          ...stateErrors,
        ],
      },
      schema: {
        operationId: "initiatePayment",
        tags,
        summary: "Start a payment",
        description:
          "Starts a payment through the chosen gateway. Repeating the request with the same gateway returns 200 and the open payment.",
        params,
        body: initiateIn,
        response: { 200: refTo<PaymentSessionShape>("PaymentSession"), 201: refTo<PaymentSessionShape>("PaymentSession") },
      },
    },
    async (request, reply) => {
      const input = { ...request.params, ...request.body };
      if (wantsHtml(request)) {
        await startInBrowser(request, reply as unknown as FastifyReply, input);
        return reply;
      }
      const { session, link, created } = await initiatePayment(request.ctx, { ...input, buyer: (set) => buyerOf(request, set) });
      return reply.code(created ? 201 : 200).send(sessionView(request.ctx, session, link));
    },
  );
};

/** The response to a browser: on to the provider that identifies the buyer, on to the payment, or back to the page. */
async function startInBrowser(
  request: FastifyRequest,
  reply: FastifyReply,
  input: { token: string; gateway: string },
): Promise<FastifyReply> {
  const { ctx } = request;
  const { token, gateway } = input;
  const asking = { token, gateway, device: buyersDevice(request), query: query(requestedOf(request)) };
  const visit = await requestBuyerIdentity(ctx, asking);
  if (visit !== null) return leadAway(request, reply.header("set-cookie", visitCookie(ctx, token, visit)));
  const { session } = await initiatePayment(ctx, { token, gateway, buyer: (set) => buyerOf(request, set) });
  const action = awayOf(session);
  if (action === null) return backToPage(request, reply);
  // The pending identification no longer matters, and a payment that opens inside an app is only for this browser.
  const clearsVisit = readVisit(ctx, token, request.headers.cookie).asked !== null;
  if (clearsVisit || action.type === "wechat_jsapi")
    reply.header("set-cookie", visitCookie(ctx, token, { ...noVisit, session: session.id }));
  return leadAway(request, reply);
}

const reportRoute: FastifyPluginAsyncTypebox = async (app) => {
  app.post(
    "/api/public/pay/:token/report",
    {
      config: {
        scope: "public",
        linkLimit: "initiate",
        errors: ["payment_link_not_found", "merchant_not_verified", "parameter_missing", "unsupported_currency", ...stateErrors],
      },
      preValidation: keepGateway,
      schema: {
        operationId: "reportPayment",
        tags,
        summary: "Report a payment",
        description:
          '"I have paid": the order now waits for review. Also works on expired and revoked links, with `gateway`. A canceled order stays canceled; the merchant is notified, and the order has `claimed_at`.',
        params,
        body: reportIn,
        response: { 200: pageOut },
      },
    },
    async (request, reply) => {
      const view = await reportByBuyer(request.ctx, { ...request.params, ...request.body });
      return wantsHtml(request) ? backToPage(request, reply) : view;
    },
  );
};

/** The page's button for buyers without proof is in the form for proof, whose other fields are sent too. */
function keepGateway(request: FastifyRequest, _reply: FastifyReply, done: () => void): void {
  const sent = request.body;
  if (request.headers["content-type"]?.startsWith("application/x-www-form-urlencoded") === true) {
    request.body = typeof sent === "object" && sent !== null && "gateway" in sent ? { gateway: sent.gateway } : {};
  }
  done();
}

const withdrawRoute: FastifyPluginAsyncTypebox = async (app) => {
  app.post(
    "/api/public/pay/:token/report/withdraw",
    {
      config: { scope: "public", linkLimit: "initiate", errors: ["payment_link_not_found", "order_already_paid", "order_state_conflict"] },
      schema: {
        operationId: "withdrawReport",
        tags,
        summary: "Withdraw a report",
        description:
          "The buyer hasn't paid after all. As long as no one has decided, the order becomes `unpaid` again, its proof becomes `superseded`, and the buyer can use the code or choose another channel.",
        params,
        body: nothingIn,
        response: { 200: pageOut },
      },
    },
    async (request, reply) => {
      const view = await withdrawByBuyer(request.ctx, request.params);
      return wantsHtml(request) ? backToPage(request, reply) : view;
    },
  );
};

const simulateRoute: FastifyPluginAsyncTypebox = async (app) => {
  app.post(
    "/api/public/pay/:token/simulate",
    {
      config: { scope: "public", linkLimit: "initiate", errors: ["payment_link_not_found", "environment_mismatch", ...stateErrors] },
      schema: {
        operationId: "simulateOnPage",
        tags,
        summary: "Simulate a payment on a TEST page",
        params,
        body: nothingIn,
        response: { 200: pageOut },
      },
    },
    async (request, reply) => {
      const view = await simulateByBuyer(request.ctx, request.params);
      return wantsHtml(request) ? backToPage(request, reply) : view;
    },
  );
};

const proofErrors = [
  "payment_link_not_found",
  "amount_out_of_range",
  "card_number_refused",
  "unsupported_currency",
  "limit_reached",
  "review_exists",
  "reference_exists",
  "file_too_large",
  "image_unreadable",
  "too_many_pixels",
  ...stateErrors,
];

const proofRoute: FastifyPluginAsyncTypebox = async (app) => {
  app.post(
    "/api/public/pay/:token/voucher",
    {
      config: { scope: "public", linkLimit: "proof", upload: true, form: voucherFormDocument, errors: proofErrors },
      schema: {
        operationId: "sendProof",
        tags,
        summary: "Submit a proof of payment",
        description:
          "Send a form with `file`, or JSON with `transaction_reference`. Also works on expired and revoked links, with `gateway`.",
        params,
        body: { content: { "application/json": { schema: voucherForm } } },
        response: { 201: proofOut },
      },
    },
    async (request, reply) => {
      await takeProof(app, request, reply as unknown as FastifyReply);
      return reply;
    },
  );
};

async function takeProof(app: FastifyInstance, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const upload = isUpload(request) ? await readUpload(request) : null;
  try {
    const fields =
      upload === null ? readBodyWithoutFile(request, voucherForm) : checkFields(request, voucherForm, filledFields(upload.fields));
    if (request.tenant !== null) bindUpload(app, request, { ...fields, file: upload?.file?.sha256 ?? null });
    const { paid_at, ...rest } = fields;
    const paidAt = paid_at === undefined ? {} : { paid_at: new Date(paid_at) };
    const token = (request.params as { token: string }).token;
    const proof = await submitProof(request.ctx, { token, ...rest, ...paidAt, file: upload?.file ?? null });
    if (wantsHtml(request)) backToPage(request, reply);
    else reply.code(201).send(proof);
  } finally {
    await upload?.file?.remove();
  }
}
