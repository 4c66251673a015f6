import { createPrivateKey, type KeyObject } from "node:crypto";

/** Whose signature a message carries: the signing domain, the name of the key under it, and the private key itself. */
export interface DkimKey {
  domain: string;
  selector: string;
  key: KeyObject;
}

const leastBits = 1_024;
const maxBits = 4_096;

/**
 * Reads a private key for signing mail. Throws a sentence on whatever could not sign every message later: signing must not be able to fail
 * quietly, and half of the receivers know RSA alone.
 */
export function readDkimKey(pem: string): KeyObject {
  const key = privateKeyOf(pem);
  if (key.asymmetricKeyType !== "rsa") throw new Error(`a DKIM key must be RSA, not ${key.asymmetricKeyType ?? "unknown"}`);
  const bits = key.asymmetricKeyDetails?.modulusLength ?? 0;
  if (bits < leastBits || bits > maxBits) throw new Error(`a DKIM key must have between ${leastBits} and ${maxBits} bits, not ${bits}`);
  return key;
}

function privateKeyOf(pem: string): KeyObject {
  try {
    return createPrivateKey(pem);
  } catch {
    throw new Error("a DKIM key must be a private key in PEM");
  }
}
