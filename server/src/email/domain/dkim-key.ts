import { createPrivateKey, type KeyObject } from "node:crypto";

/** What signs a message: the signing domain, the selector under it, and the private key. */
export interface DkimKey {
  domain: string;
  selector: string;
  key: KeyObject;
}

const leastBits = 1_024;
const maxBits = 4_096;

/**
 * Reads a private key for signing email. Throws a plain sentence for any key that couldn't sign every later message: signing must not fail
 * silently, and half of the receivers only know RSA.
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
