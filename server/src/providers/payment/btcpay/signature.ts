import { createHmac, timingSafeEqual } from "node:crypto";

/**
 * Verifies that `BTCPay-Sig` is the HMAC-SHA-256 of the body's bytes under the webhook's secret: `sha256=` and lower-case hexadecimal
 * digits.
 */
export function isSignedWith(secret: string, body: Buffer, header: string | undefined): boolean {
  const given = /^sha256=([0-9a-f]{64})$/.exec(header ?? "")?.[1];
  if (given === undefined) return false;
  return timingSafeEqual(Buffer.from(given, "hex"), createHmac("sha256", secret).update(body).digest());
}
