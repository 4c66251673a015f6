import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from "node:crypto";
import { passwordLength } from "./refuse-weak-password.ts";

/** How much work one guess at a password costs. `light` is for tests and protects nothing. */
export type PasswordWork = "usual" | "light";

/** OWASP's parameters for 32 MiB: N = 2^15, r = 8, p = 3. */
const costs: Record<PasswordWork, { N: number; r: number; p: number }> = {
  usual: { N: 32_768, r: 8, p: 3 },
  light: { N: 256, r: 8, p: 1 },
};
const keyBytes = 32;

/** `scrypt$N$r$p$salt$key`, so that stored passwords still work when the cost changes. */
export async function hashPassword(password: string, work: PasswordWork): Promise<string> {
  const { N, r, p } = costs[work];
  const salt = randomBytes(16);
  const key = await derive(password, salt, { N, r, p });
  return ["scrypt", N, r, p, salt.toString("base64url"), key.toString("base64url")].join("$");
}

/** Compares in constant time; false if `stored` isn't a stored password. */
export async function verifyPassword(password: string, stored: string): Promise<boolean> {
  const [kind, N, r, p, salt, key] = stored.split("$");
  if (kind !== "scrypt" || salt === undefined || key === undefined) return false;
  const expected = Buffer.from(key, "base64url");
  const given = await derive(password, Buffer.from(salt, "base64url"), { N: Number(N), r: Number(r), p: Number(p) });
  return expected.length === given.length && timingSafeEqual(expected, given);
}

/** In UTF-16 units; no password that was set is longer. */
const longest = passwordLength.max * 2;

function derive(password: string, salt: Buffer, cost: ScryptOptions): Promise<Buffer> {
  // Of a longer one, the marks would be sorted in time that grows with the square of their number.
  const text = password.length > longest ? password : password.normalize("NFKC");
  return new Promise((resolve, reject) => {
    scrypt(text, salt, keyBytes, { ...cost, maxmem: 128 * 1024 * 1024 }, (error, key) => (error === null ? resolve(key) : reject(error)));
  });
}
