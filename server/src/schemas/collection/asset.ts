import Type from "typebox";
import { type AssetRow, assetUrl, listCodes } from "#assets/index.ts";
import { codeKinds, identifyCode } from "#collection/index.ts";
import type { Ctx } from "#platform/index.ts";
import { channelsInWords, flag, idOf, instant, integer, oneOf, shape, shapeOrNull, strict, text, textOrNull } from "../fields/fields.ts";

export const assetPurposes = ["collection_qr", "payment_proof", "logo"] as const;

export type AssetShape = ReturnType<typeof showAsset>;

export const assetSchema = shape("Asset", "A picture, kept as it was drawn anew: without metadata, and never the bytes that were sent.", {
  id: idOf("ast", "The asset's id."),
  object: oneOf(["asset"], "Always `asset`."),
  project_id: idOf("prj", "The project."),
  livemode: flag("False in the TEST environment."),
  purpose: oneOf(assetPurposes, "What it is for."),
  content_type: oneOf(["image/jpeg", "image/png"], "Format of the stored picture."),
  size_bytes: integer("Size of the stored picture.", { examples: [48213] }),
  width: integer("Pixels across.", { examples: [1080] }),
  height: integer("Pixels down.", { examples: [1440] }),
  sha256: text("Hash of the stored picture, hexadecimal."),
  url: text("Shows the picture to whoever holds the address, for 15 minutes."),
  decoded: shapeOrNull<{ payload: string }>("What the QR code in a `collection_qr` says; null when none was read.", {
    payload: text("The code's text, unchanged."),
  }),
  decoded_codes: Type.Array(
    Type.Object({
      payload: text("The code's text."),
      channel: textOrNull(`${channelsInWords}; null for any other code.`),
      kind: oneOf(codeKinds, "What the code is. `personal`, `business` and `fixed_amount` receive money."),
    }),
    { description: "Every QR code that was read in a `collection_qr`. A profile takes the one that receives money on its channel." },
  ),
  decode_fault: textOrNull("Why nothing was read: `no_code`, or `several_codes` that say different things."),
  created_at: instant("When it was uploaded."),
  updated_at: instant("When it was last changed."),
});

/** The form's fields next to its `file`. */
export const assetForm = strict({ purpose: oneOf(assetPurposes, "What the picture is for.") });

export const assetFormDocument = Type.Object(
  {
    file: Type.Unsafe<string>({
      type: "string",
      format: "binary",
      description: "A PNG, JPEG or WebP picture of at most 5 MB (a logo: 512 KB) and 25 megapixels.",
    }),
    purpose: oneOf(assetPurposes, "What the picture is for."),
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
