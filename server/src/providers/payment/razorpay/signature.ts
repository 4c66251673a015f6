import { createHmac, timingSafeEqual } from "node:crypto";

/** Whether a signature is Razorpay's over these bytes: the HMAC-SHA-256 of the body as it came, in hex, with the secret of the webhook. */
export function isSigned(body: Buffer, signature: string, secret: string): boolean {
  if (!/^[0-9a-f]{64}$/.test(signature)) return false;
  return timingSafeEqual(Buffer.from(signature, "hex"), createHmac("sha256", secret).update(body).digest());
}
