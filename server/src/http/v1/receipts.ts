import { readFile } from "node:fs/promises";
import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { type Channel, channels, countReceipts, listReceipts } from "#collection/index.ts";
import { type ImportedStatement, importStatement, type ReceiptInput, recordReceipt } from "#orders/index.ts";
import { platformErrors } from "#platform/index.ts";
import { bindUpload } from "../gate/bind-claim.ts";
import { cursorOf, filtersOf, listOf, listQuery, listUrl, many, pageErrors, readList, showList } from "../lists.ts";
import { pathOf, refTo } from "../schemas/fields.ts";
import { type ImportShape, importForm, importFormDocument, type ReceiptShape, receiptIn, receiptStatuses, showImport, showReceipt } from "../shapes/receipt.ts";
import { acceptUploads, checkFields, isUpload, readUpload } from "../uploads.ts";

const tags = ["Receipts"];
const params = pathOf("projectId");

export const receiptRoutes: FastifyPluginAsyncTypebox = async (app) => {
  await acceptUploads(app);
  for (const route of [listRoute, recordRoute, importRoute]) await app.register(route);
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
          total: true,
          more: { channel: many("Only these wallets. May be repeated.", { enum: [...channels] }) },
        }),
        response: { 200: listOf<ReceiptShape>("Receipt", "a receipt's id") },
      },
    },
    async (request) => {
      const query = readList(request.query);
      const channel = request.query.channel as string[] | undefined;
      const filters = { ...filtersOf(query), ...(channel === undefined ? {} : { channel }) };
      const { rows, has_more } = await listReceipts(request.ctx, request.tenant, { ...cursorOf(query), filters });
      const total_count = query.include_total ? await countReceipts(request.ctx.db, request.tenant, filters) : undefined;
      const data = rows.map((row) => showReceipt(row));
      return showList({ url: listUrl(request.tenant, "receipts"), data, has_more, upwards: query.ending_before !== null, total_count });
    },
  );
};

const recordRoute: FastifyPluginAsyncTypebox = async (app) => {
  app.post(
    "/projects/:projectId/receipts",
    {
      config: { scope: "payments:write", errors: ["unsupported_currency", "amount_out_of_range"] },
      schema: {
        operationId: "recordReceipt",
        tags,
        summary: "Record a receipt",
        description:
          "Money that came in on a personal code. It settles a payment by itself only when exactly one fits and the profile's matching permits. Known already: 200 and the first one.",
        params,
        body: receiptIn,
        response: { 200: refTo<ReceiptShape>("Receipt"), 201: refTo<ReceiptShape>("Receipt") },
      },
    },
    async (request, reply) => {
      const { occurred_at, source, ...given } = request.body as Omit<ReceiptInput, "occurred_at" | "source"> & {
        occurred_at: string;
        source?: "listener" | "manual";
      };
      const input: ReceiptInput = { ...given, occurred_at: new Date(occurred_at), source: source ?? "manual" };
      const { receipt, created, suggestions } = await recordReceipt(request.ctx, request.tenant, input);
      return reply.code(created ? 201 : 200).send(showReceipt(receipt, suggestions));
    },
  );
};

const importRoute: FastifyPluginAsyncTypebox = async (app) => {
  app.post(
    "/projects/:projectId/receipts/import",
    {
      config: {
        scope: "payments:write",
        upload: true,
        form: importFormDocument,
        errors: ["parameter_missing", "parameter_invalid", "parameter_unknown", "parameter_conflict", "file_too_large", "unsupported_media_type"],
      },
      schema: {
        operationId: "importStatement",
        tags,
        summary: "Import a statement",
        description: "The CSV that WeChat Pay or Alipay exports for bookkeeping. Rows seen before change nothing, so the same file may be sent again.",
        consumes: ["multipart/form-data"],
        params,
        response: { 201: refTo<ImportShape>("ReceiptImport") },
      },
    },
    async (request, reply) => reply.code(201).send(showImport(await takeStatement(app, request))),
  );
};

async function takeStatement(app: FastifyInstance, request: FastifyRequest): Promise<ImportedStatement> {
  if (!isUpload(request)) throw platformErrors.unsupported_media_type({ message: "Send the statement as multipart/form-data, in the field file." });
  const { file, fields } = await readUpload(request);
  try {
    bindUpload(app, request, { ...fields, file: file?.sha256 ?? null });
    const given = checkFields<{ channel?: Channel }>(request, importForm, fields);
    if (file === null) throw platformErrors.parameter_missing({ param: "file", message: "file is required." });
    return await importStatement(request.ctx, request.tenant, { ...given, bytes: await readFile(file.path) });
  } finally {
    await file?.remove();
  }
}
