import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import { deleteAsset, uploadAsset } from "#assets/index.ts";
import { platformErrors } from "#platform/index.ts";
import { acceptUploads, bindUpload, checkFields, isUpload, readUpload } from "#requests/index.ts";
import { type AssetShape, assetForm, assetFormDocument, pathOf, refTo, showAsset } from "#schemas/index.ts";

export const assetRoutes: FastifyPluginAsyncTypebox = async (app) => {
  for (const route of [uploadRoute, deleteRoute]) await app.register(route);
};

const uploadRoute: FastifyPluginAsyncTypebox = async (app) => {
  await acceptUploads(app);
  app.post(
    "/projects/:projectId/assets/upload",
    {
      config: {
        scope: "payments:write",
        upload: true,
        form: assetFormDocument,
        errors: [
          "parameter_missing",
          "parameter_invalid",
          "parameter_unknown",
          "file_too_large",
          "unsupported_media_type",
          "image_unreadable",
          "too_many_pixels",
        ],
      },
      schema: {
        operationId: "uploadAsset",
        tags: ["Assets"],
        summary: "Upload an image",
        description:
          "Send a form with `file` and `purpose`. The image is re-encoded without its metadata, and only the result is stored. For a `collection_qr`, the code is read too.",
        params: pathOf("projectId"),
        response: { 201: refTo<AssetShape>("Asset") },
      },
    },
    async (request, reply) => {
      if (!isUpload(request))
        throw platformErrors.unsupported_media_type({ message: "Send the image as multipart/form-data, in the field file." });
      const { file, fields } = await readUpload(request);
      try {
        bindUpload(app, request, { ...fields, file: file?.sha256 ?? null });
        const { purpose } = checkFields(request, assetForm, fields);
        if (file === null) throw platformErrors.parameter_missing({ param: "file", reason: "required", message: "file is required." });
        const asset = await uploadAsset(request.ctx, request.tenant, { purpose, file });
        return reply.code(201).send(showAsset(request.ctx, asset));
      } finally {
        await file?.remove();
      }
    },
  );
};

const deleteRoute: FastifyPluginAsyncTypebox = async (app) => {
  app.delete(
    "/assets/:id",
    {
      config: { scope: "payments:write", errors: ["resource_missing", "asset_in_use"] },
      schema: {
        operationId: "deleteAsset",
        tags: ["Assets"],
        summary: "Delete an image",
        description: "An image that a collection profile or a proof of payment uses can't be deleted.",
        params: pathOf("id"),
        response: { 200: refTo<{ id: string; object: string; deleted: true }>("Deleted") },
      },
    },
    (request) => deleteAsset(request.ctx, request.tenant, { id: request.params.id }),
  );
};
