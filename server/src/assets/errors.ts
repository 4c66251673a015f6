import { defineErrors } from "#platform/index.ts";

export const assetErrors = defineErrors({
  asset_in_use: [409, "This asset is in use, so it can't be deleted."],
  file_too_large: [413, "The file is too large."],
  image_unreadable: [422, "The image can't be read: it's damaged or incomplete."],
  too_many_pixels: [422, "The image has too many pixels."],
});
