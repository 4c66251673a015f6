import Type from "typebox";
import { type AssetRow, assetUrl, listCodes } from "#assets/index.ts";
import { codeKinds, identifyCode } from "#collection/index.ts";
import type { Ctx } from "#platform/index.ts";
import { channelsInWords, flag, idOf, instant, integer, oneOf, shape, shapeOrNull, strict, text, textOrNull } from "../fields/fields.ts";

export const assetPurposes = ["collection_qr", "payment_proof", "logo"] as const;

export type AssetShape = ReturnType<typeof showAsset>;

export const assetSchema = shape("Asset", "An image. It's re-encoded without metadata; the uploaded bytes aren't stored.", {
  id: idOf("ast", "The asset's ID."),
  object: oneOf(["asset"], "Always `asset`."),
  project_id: idOf("prj", "The project."),
  livemode: flag("False in the TEST environment."),
  purpose: oneOf(assetPurposes, "The purpose."),
  content_type: oneOf(["image/jpeg", "image/png"], "The stored image's format."),
  size_bytes: integer("The stored image's size in bytes.", { examples: [48213] }),
  width: integer("The width in pixels.", { examples: [1080] }),
  height: integer("The height in pixels.", { examples: [1440] }),
  sha256: text("The stored image's hash in hexadecimal."),
  url: text("Shows the image to anyone who has the address, for 15 minutes."),
  decoded: shapeOrNull<{ payload: string }>("The QR code read from a `collection_qr`; null if none was read.", {
    payload: text("The code's text, unchanged."),
  }),
  decoded_codes: Type.Array(
    Type.Object({
      payload: text("The code's text."),
      channel: textOrNull(`${channelsInWords}; null for any other code.`),
      kind: oneOf(codeKinds, "The kind of code. `personal`, `business` and `fixed_amount` receive money."),
    }),
    { description: "All QR codes read from a `collection_qr`. A profile uses the one that receives money on its channel." },
  ),
  decode_fault: textOrNull("Why nothing was read: `no_code`, or `several_codes` with different contents."),
  created_at: instant("When it was uploaded."),
  updated_at: instant("When it was last updated."),
});

/** The form's fields next to its `file`. */
export const assetForm = strict({ purpose: oneOf(assetPurposes, "What the image is for.") });

export const assetFormDocument = Type.Object(
  {
    file: Type.Unsafe<string>({
      type: "string",
      format: "binary",
      description: "A PNG, JPEG or WebP image of up to 5 MB (512 KB for a logo) and 25 megapixels.",
    }),
    purpose: oneOf(assetPurposes, "What the image is for."),
  },
  { additionalProperties: false },
);

export function showAsset(ctx: Ctx, row: AssetRow) {
  const { id, project_id, livemode, purpose, content_type, size_bytes, width, height, sha256, decode_fault, created_at, updated_at } = row;
  return {
    id,
    object: "asset" as const,
    project_id,
    livemode,
    purpose,
    content_type,
    size_bytes,
    width,
    height,
    sha256,
    url: assetUrl(ctx, row),
    decoded: row.decoded_payload === null ? null : { payload: row.decoded_payload },
    decoded_codes: listCodes(row).map((payload) => identifyCode(payload)),
    decode_fault,
    created_at,
    updated_at,
  };
}
