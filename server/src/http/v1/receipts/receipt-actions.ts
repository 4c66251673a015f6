import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import type { FastifyRequest } from "fastify";
import { inSteps, platformErrors } from "#platform/index.ts";
import {
  type BulkInput,
  changeReceipts,
  ignoreReceipt,
  type LinkInput,
  linkReceipt,
  linkReceiptSet,
  unlinkReceipt,
} from "#reconciliation/index.ts";
import { isRecentlyConfirmed } from "#requests/index.ts";
import { type BulkShape, bulkIn, ignoreIn, pathOf, type ReceiptShape, receiptLinkIn, refTo, showBulk } from "#schemas/index.ts";
import { showOneReceipt } from "./show-receipts.ts";

const tags = ["Receipts"];
const params = pathOf("projectId", "id");
const response = { 200: refTo<ReceiptShape>("Receipt") };

/** People's decisions about receipts. */
export const receiptActionRoutes: FastifyPluginAsyncTypebox = async (app) => {
  for (const route of [linkRoute, unlinkRoute, ignoreRoute, bulkRoute]) await app.register(route);
};

/** The errors of a decision about a receipt. */
const decisionErrors = [
  "resource_missing",
  "parameter_missing",
  "parameter_conflict",
  "order_state_conflict",
  "permission_denied",
  "session_required",
  "fresh_session_required",
] as const;

const linkRoute: FastifyPluginAsyncTypebox = async (app) => {
  app.post(
    "/projects/:projectId/receipts/:id/link",
    {
      config: {
        scope: "reviews:write",
        errors: [...decisionErrors],
      },
      schema: {
        operationId: "linkReceipt",
        tags,
        summary: "Link a receipt to an order",
        description:
          "Assigns the money to an order. If the order was approved and has no receipt yet, the receipt is linked to that payment and nothing is booked; otherwise, it pays the order like an approval. A receipt recorded by one person must be linked by another.",
        params,
        body: receiptLinkIn,
        response,
      },
    },
    async (request) => {
      const input = { receipt_id: request.params.id, ...request.body, is_fresh: isRecentlyConfirmed(request) };
      return showOneReceipt(request, await linkReceipt(request.ctx, request.tenant, input));
    },
  );
};

const unlinkRoute: FastifyPluginAsyncTypebox = async (app) => {
  app.post(
    "/projects/:projectId/receipts/:id/unlink",
    {
      config: { scope: "reviews:write", errors: ["resource_missing", "order_state_conflict", "session_required"] },
      schema: {
        operationId: "unlinkReceipt",
        tags,
        summary: "Unlink a receipt",
        description:
          "Undoes a link, a decision to ignore, or an entry in Exceptions. The receipt then waits for a decision again. A set is undone as a whole. A receipt that paid an order automatically can't be unlinked.",
        params,
        response,
      },
    },
    async (request) => showOneReceipt(request, await unlinkReceipt(request.ctx, request.tenant, { receipt_id: request.params.id })),
  );
};

const ignoreRoute: FastifyPluginAsyncTypebox = async (app) => {
  app.post(
    "/projects/:projectId/receipts/:id/ignore",
    {
      config: { scope: "reviews:write", errors: ["resource_missing", "order_state_conflict", "session_required"] },
      schema: {
        operationId: "ignoreReceipt",
        tags,
        summary: "Ignore a receipt",
        description: "Sets aside money that isn't for one of your orders. If it was booked in Exceptions, that entry is reversed.",
        params,
        body: ignoreIn,
        response,
      },
    },
    async (request) => {
      return showOneReceipt(request, await ignoreReceipt(request.ctx, request.tenant, { receipt_id: request.params.id, ...request.body }));
    },
  );
};

interface BulkBody {
  action: "link" | "link_set" | "unlink" | "ignore";
  receipt_ids?: string[];
  order_ids?: string[];
  links?: LinkInput[];
  reason?: string;
}

const bulkRoute: FastifyPluginAsyncTypebox = async (app) => {
  app.post(
    "/projects/:projectId/receipts/bulk",
    {
      config: {
        scope: "reviews:write",
        errors: [...decisionErrors],
      },
      schema: {
        operationId: "changeReceipts",
        tags,
        summary: "Update many receipts",
        description:
          "Up to 500 receipts at once. Each is handled separately, so if one is refused, the others still succeed; a set is linked as a whole or not at all.",
        params: pathOf("projectId"),
        body: bulkIn,
        response: { 200: refTo<BulkShape>("ReceiptBulk") },
      },
    },
    async (request) => showBulk(await decideMany(request, request.body), request.tenant),
  );
};

async function decideMany(request: FastifyRequest, body: BulkBody) {
  const { ctx, tenant } = request;
  const is_fresh = isRecentlyConfirmed(request);
  if (body.action === "link_set") {
    const input = { receipt_ids: required(body, "receipt_ids"), order_ids: required(body, "order_ids"), is_fresh };
    const receipts = await linkReceiptSet(ctx, tenant, input);
    return receipts.map((receipt) => ({ receipt_id: receipt.id, receipt, error: null }));
  }
  return inSteps(ctx, (steps) => changeReceipts(steps, tenant, inputOf(body, is_fresh)));
}

function inputOf(body: BulkBody, is_fresh: boolean): BulkInput {
  if (body.action === "link") return { action: "link", links: required(body, "links").map((link) => ({ ...link, is_fresh })) };
  if (body.action === "ignore") return { action: "ignore", receipt_ids: required(body, "receipt_ids"), reason: required(body, "reason") };
  return { action: "unlink", receipt_ids: required(body, "receipt_ids") };
}

function required<Name extends keyof BulkBody>(body: BulkBody, name: Name): NonNullable<BulkBody[Name]> {
  const value = body[name];
  if (value === undefined)
    throw platformErrors.parameter_missing({ param: name, reason: "required", message: `${name} is required for this action.` });
  return value;
}
