import { createHmac, timingSafeEqual } from "node:crypto";

/** Verifies a signature: the hex HMAC-SHA-256 of the body as received, with the secret of the webhook. */
export function isSigned(body: Buffer, signature: string, secret: string): boolean {
  if (!/^[0-9a-f]{64}$/.test(signature)) return false;
  return timingSafeEqual(Buffer.from(signature, "hex"), createHmac("sha256", secret).update(body).digest());
}
