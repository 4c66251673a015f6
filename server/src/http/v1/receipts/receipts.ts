import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import type { FastifyRequest } from "fastify";
import { channels, findReceipt, listReceipts } from "#collection/index.ts";
import { orderErrors } from "#orders/index.ts";
import { platformErrors } from "#platform/index.ts";
import { type ReceiptInput, recordReceipt } from "#reconciliation/index.ts";
import { cursorOf, filtersOf, listOf, listQuery, listUrl, many, pageErrors, readList, showList } from "#requests/index.ts";
import { pathOf, type ReceiptShape, receiptIn, receiptStatuses, refTo } from "#schemas/index.ts";
import { accountOfKey } from "./receipt-account.ts";
import { showOneReceipt, showReceipts } from "./show-receipts.ts";

const tags = ["Receipts"];
const params = pathOf("projectId");

export const receiptRoutes: FastifyPluginAsyncTypebox = async (app) => {
  for (const route of [listRoute, getRoute, recordRoute]) await app.register(route);
};

const listRoute: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    "/projects/:projectId/receipts",
    {
      config: { scope: "payments:read", errors: pageErrors },
      schema: {
        operationId: "listReceipts",
        tags,
        summary: "List receipts",
        params,
        querystring: listQuery({
          status: receiptStatuses,
          more: { channel: many("Only these wallets. Can be repeated.", { enum: [...channels] }) },
        }),
        response: { 200: listOf<ReceiptShape>("Receipt", "a receipt's ID") },
      },
    },
    async (request) => {
      const query = readList(request.query);
      const channel = request.query.channel as string[] | undefined;
      const filters = { ...filtersOf(query), ...(channel === undefined ? {} : { channel }) };
      const { rows, ...page } = await listReceipts(request.ctx, request.tenant, { ...cursorOf(query), filters });
      const data = await showReceipts(request, rows);
      return showList({ url: listUrl(request.tenant, "receipts"), data, ...page });
    },
  );
};

const getRoute: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    "/projects/:projectId/receipts/:id",
    {
      config: { scope: "payments:read", errors: ["resource_missing"] },
      schema: {
        operationId: "getReceipt",
        tags,
        summary: "Retrieve a receipt",
        params: pathOf("projectId", "id"),
        response: { 200: refTo<ReceiptShape>("Receipt") },
      },
    },
    async (request) => {
      const receipt = await findReceipt(request.ctx.db, request.tenant, request.params.id);
      if (receipt === null) throw platformErrors.resource_missing({ param: "id" });
      return showOneReceipt(request, receipt);
    },
  );
};

const recordRoute: FastifyPluginAsyncTypebox = async (app) => {
  app.post(
    "/projects/:projectId/receipts",
    {
      config: { scope: "receipts:write", errors: ["unsupported_currency", "amount_out_of_range", "review_exists"] },
      schema: {
        operationId: "recordReceipt",
        tags,
        summary: "Record a receipt",
        description:
          "Records money that arrived on a personal code. It settles a payment automatically only if its code or its amount identifies exactly one order. Otherwise, it waits outside the ledger, with suggestions of what it may belong to. A key's receipt is `listener`; a person's is `manual` and waits for another person. If the receipt is already known, returns 200 and the existing one.",
        params,
        body: receiptIn,
        response: { 200: refTo<ReceiptShape>("Receipt"), 201: refTo<ReceiptShape>("Receipt") },
      },
    },
    async (request, reply) => {
      const { occurred_at, source, ...given } = request.body;
      const at = new Date(occurred_at);
      const place = accountOfKey(request.principal, { channel: given.channel, account_ref: given.account_ref ?? null });
      const input: ReceiptInput = { ...given, ...place, occurred_at: at, source: sourceOf(request, source) };
      const { receipt, created } = await recordReceipt(request.ctx, request.tenant, input);
      if (receipt.project_id !== request.tenant.project_id) {
        throw orderErrors.review_exists({
          param: "external_id",
          message: "Another project of the merchant has already recorded this transfer.",
        });
      }
      return reply.code(created ? 201 : 200).send(await showOneReceipt(request, receipt));
    },
  );
};

/** The credentials determine the source: a manually entered receipt waits for another person. */
function sourceOf(request: FastifyRequest, given: string | undefined): "listener" | "manual" {
  const source = request.principal.visitor === null ? "listener" : "manual";
  if (given !== undefined && given !== source)
    throw platformErrors.parameter_invalid({
      param: "source",
      reason: "wrong_source",
      message: `The source of receipts from ${source === "listener" ? "an API key" : "a signed-in person"} is ${source}.`,
    });
  return source;
}
