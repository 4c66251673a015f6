import { defineErrors } from "#platform/index.ts";

export const collectionErrors = defineErrors({
  qr_not_decodable: [422, "No QR code could be read from the picture."],
  qr_channel_mismatch: [422, "This is not a personal receiving code of this channel."],
  qr_payment_code: [422, "This is a payment code: whoever has it can take money from your wallet. Never show it to anyone. Use your receiving code."],
  qr_fixed_amount: [422, "This code asks every buyer for one fixed amount. Use the code without an amount, or say that you want this one."],
  qr_order_bound: [422, "This code belongs to a single order and soon stops working. Use the code that you receive any amount with."],
});
