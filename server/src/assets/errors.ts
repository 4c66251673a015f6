import { defineErrors } from "#platform/index.ts";

export const assetErrors = defineErrors({
  asset_in_use: [409, "The asset is in use and cannot be deleted."],
  file_too_large: [413, "The file is too large."],
  image_unreadable: [422, "The picture cannot be read: it is damaged or cut short."],
  too_many_pixels: [422, "The picture has too many pixels."],
});
