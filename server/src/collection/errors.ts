import { defineErrors } from "#platform/index.ts";

export const collectionErrors = defineErrors({
  qr_not_decodable: [422, "No QR code could be read from the picture."],
  qr_channel_mismatch: [422, "This is not a personal receiving code of this channel."],
  qr_order_bound: [422, "This code belongs to a single order and soon stops working. Use the code that you receive any amount with."],
});
