import { createHmac, timingSafeEqual } from "node:crypto";
import type { CallbackRefusal } from "#gateways/index.ts";

/** How far the timestamp of a signature may be from our clock, in seconds, in either direction. */
const toleranceSeconds = 300;
/** A header has one signature for each secret of the endpoint: at most two, while a secret is rolled. */
const maxSignatures = 10;

/**
 * Why a callback's `Stripe-Signature` doesn't prove its body; null if it does. Stripe's own library accepts any time in the future, which
 * would let a copied callback with a forged time remain valid forever; here the time is limited in both directions.
 */
export function refusalOf(header: string | undefined, given: { body: Buffer; secret: string; at: Date }): CallbackRefusal | null {
  const { time, signatures } = readHeader(header ?? "");
  if (time === null) return "signature";
  const expected = createHmac("sha256", given.secret).update(`${time}.`).update(given.body).digest();
  const isSigned = signatures.some((signature) => timingSafeEqual(Buffer.from(signature, "hex"), expected));
  if (!isSigned) return "signature";
  const ageSeconds = given.at.getTime() / 1_000 - Number(time);
  return Math.abs(ageSeconds) > toleranceSeconds ? "stale" : null;
}

/** `t=1492774577,v1=5257…,v0=6ffb…`: schemes other than v1 prove nothing. */
function readHeader(header: string): { time: string | null; signatures: string[] } {
  const pairs = header.length > 4_096 ? [] : header.split(",").map((pair) => pair.trim().split("=") as [string, string?]);
  const times = pairs.flatMap(([scheme, value]) => (scheme === "t" && value !== undefined && /^\d{1,12}$/.test(value) ? [value] : []));
  const signatures = pairs.flatMap(([scheme, value]) =>
    scheme === "v1" && value !== undefined && /^[0-9a-f]{64}$/.test(value) ? [value] : [],
  );
  return { time: times.length === 1 ? (times[0] ?? null) : null, signatures: signatures.slice(0, maxSignatures) };
}
