import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Static } from "typebox";
import { discardAsset, prepareAsset, type Spooled } from "#assets/index.ts";
import { type Submitted, submitVoucher, type VoucherInput, voucherView } from "#orders/index.ts";
import { acceptUploads, bindUpload, checkFields, isUpload, readBodyWithoutFile, readUpload } from "#requests/index.ts";
import { pathOf, refTo, type VoucherShape, voucherForm, voucherFormDocument, voucherIn } from "#schemas/index.ts";

const errors = [
  "resource_missing",
  "amount_out_of_range",
  "card_number_refused",
  "limit_reached",
  "order_already_paid",
  "order_state_conflict",
  "review_exists",
  "unsupported_currency",
  "reference_exists",
  "file_too_large",
  "image_unreadable",
  "too_many_pixels",
];

/** POST …/voucher: a form with an image, or JSON that names an uploaded one or a transfer. */
export const orderVoucherRoute: FastifyPluginAsyncTypebox = async (app) => {
  await acceptUploads(app);
  app.post(
    "/projects/:projectId/orders/:id/voucher",
    {
      config: { scope: "orders:write", upload: true, form: voucherFormDocument, errors },
      schema: {
        operationId: "submitVoucher",
        tags: ["Orders"],
        summary: "Submit a proof of payment",
        description:
          "Submits the order for review. Send at least one of an image, an uploaded asset or the transfer number. Up to five proofs per order.",
        params: pathOf("projectId", "id"),
        body: { content: { "application/json": { schema: voucherIn } } },
        response: { 201: refTo<VoucherShape>("Voucher") },
      },
    },
    async (request, reply) => {
      const submitted = isUpload(request) ? await submitForm(app, request) : await submitJson(app, request);
      return reply.code(201).send(voucherView(request.ctx, submitted.voucher));
    },
  );
};

function submitJson(app: FastifyInstance, request: FastifyRequest): Promise<Submitted> {
  bindUpload(app, request, request.body);
  return submitVoucher(request.ctx, request.tenant, inputOf(request, readBodyWithoutFile(request, voucherIn)));
}

async function submitForm(app: FastifyInstance, request: FastifyRequest): Promise<Submitted> {
  const { file, fields } = await readUpload(request);
  try {
    bindUpload(app, request, { ...fields, file: file?.sha256 ?? null });
    const input = inputOf(request, checkFields(request, voucherForm, fields));
    if (file === null) return await submitVoucher(request.ctx, request.tenant, input);
    return await submitWithPicture(request, input, file);
  } finally {
    await file?.remove();
  }
}

async function submitWithPicture(request: FastifyRequest, input: VoucherInput, file: Spooled): Promise<Submitted> {
  const picture = await prepareAsset(request.ctx, request.tenant, { purpose: "payment_proof", file });
  try {
    return await submitVoucher(request.ctx, request.tenant, { ...input, picture });
  } finally {
    await discardAsset(request.ctx, picture);
  }
}

function inputOf(request: FastifyRequest, fields: Static<typeof voucherIn>): VoucherInput {
  const { id } = request.params as { id: string };
  const { paid_at, ...rest } = fields;
  return { order_id: id, ...rest, ...(paid_at === undefined ? {} : { paid_at: new Date(paid_at) }) };
}
