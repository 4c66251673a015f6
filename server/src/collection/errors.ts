import { defineErrors } from "#platform/index.ts";

export const collectionErrors = defineErrors({
  qr_not_decodable: [422, "No QR code could be read from the image."],
  qr_channel_mismatch: [422, "This isn't a personal receiving code for this channel."],
  qr_payment_code: [
    422,
    "This is a payment code: anyone who has it can take money from your wallet. Never show it to anyone. Use your receiving code.",
  ],
  qr_fixed_amount: [422, "This code has a fixed amount. Use the code without an amount, or confirm that you want this one."],
  qr_order_bound: [422, "This code is for a single order and expires soon. Use the code that accepts any amount."],
});
