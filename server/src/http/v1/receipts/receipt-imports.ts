import { readFile } from "node:fs/promises";
import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { platformErrors } from "#platform/index.ts";
import { applyStatement, previewStatement, type StatementPreview } from "#reconciliation/index.ts";
import { acceptUploads, bindUpload, checkFields, isUpload, readUpload } from "#requests/index.ts";
import {
  type ImportPreviewShape,
  type ImportShape,
  importForm,
  importFormDocument,
  pathOf,
  refTo,
  showImport,
  showPreview,
} from "#schemas/index.ts";
import { accountOfKey } from "./receipt-account.ts";

const tags = ["Receipts"];

/** A statement is previewed first and applied second. */
export const receiptImportRoutes: FastifyPluginAsyncTypebox = async (app) => {
  await acceptUploads(app);
  for (const route of [previewRoute, applyRoute]) await app.register(route);
};

const previewRoute: FastifyPluginAsyncTypebox = async (app) => {
  app.post(
    "/projects/:projectId/receipts/import",
    {
      config: {
        scope: "receipts:write",
        upload: true,
        form: importFormDocument,
        errors: [
          "parameter_missing",
          "parameter_invalid",
          "parameter_unknown",
          "parameter_conflict",
          "file_too_large",
          "unsupported_media_type",
        ],
      },
      schema: {
        operationId: "previewStatement",
        tags,
        summary: "Preview a statement",
        description:
          "Send the CSV or XLSX file that WeChat Pay or Alipay exports for a wallet or a merchant account. The response shows what each row would do; nothing changes until you apply the preview.",
        params: pathOf("projectId"),
        response: { 200: refTo<ImportPreviewShape>("ReceiptImportPreview") },
      },
    },
    async (request) => showPreview(await takeStatement(app, request), request.tenant),
  );
};

const applyRoute: FastifyPluginAsyncTypebox = async (app) => {
  app.post(
    "/projects/:projectId/receipts/import/:previewId/apply",
    {
      config: { scope: "receipts:write", errors: ["resource_missing", "session_required", "permission_denied", "idempotency_key_in_use"] },
      schema: {
        operationId: "applyStatement",
        tags,
        summary: "Apply a previewed statement",
        description:
          "Each row is matched again. Rows that were already imported change nothing, and applying twice returns the same result. In LIVE, a statement that settles or holds money must be applied by a signed-in person with `reviews:write`.",
        params: pathOf("projectId", "previewId"),
        response: { 200: refTo<ImportShape>("ReceiptImport") },
      },
    },
    async (request) => {
      // A long statement takes long, and so may its single steps.
      request.waitLimit.lift();
      const { visitor, scopes } = request.principal;
      const maySettle = { isPerson: visitor !== null, isReviewer: scopes.has("reviews:write") };
      return showImport(
        await applyStatement(request.ctx, request.tenant, { preview_id: request.params.previewId, maySettle }),
        request.tenant,
      );
    },
  );
};

async function takeStatement(app: FastifyInstance, request: FastifyRequest): Promise<StatementPreview> {
  if (!isUpload(request))
    throw platformErrors.unsupported_media_type({ message: "Send the statement as multipart/form-data, in the field file." });
  const { file, fields } = await readUpload(request);
  try {
    bindUpload(app, request, { ...fields, file: file?.sha256 ?? null });
    const given = checkFields(request, importForm, fields);
    if (file === null) throw platformErrors.parameter_missing({ param: "file", reason: "required", message: "file is required." });
    request.waitLimit.lift();
    const place = accountOfKey(request.principal, { channel: given.channel, account_ref: given.account_ref ?? null });
    return await previewStatement(request.ctx, request.tenant, { ...place, bytes: await readFile(file.path), sha256: file.sha256 });
  } finally {
    await file?.remove();
  }
}
