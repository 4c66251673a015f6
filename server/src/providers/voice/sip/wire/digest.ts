import { createHash, type Hash } from "node:crypto";
import { parseParams, quote } from "./scan.ts";

export interface Challenge {
  realm: string;
  nonce: string;
  opaque: string | null;
  algorithm: "MD5" | "SHA-256";
  isSession: boolean;
  qop: "auth" | "auth-int" | null;
  isStale: boolean;
  /** As the server wrote it, because it's echoed. */
  algorithmText: string | null;
}

export interface DigestInput {
  challenge: Challenge;
  user: string;
  password: string;
  method: string;
  uri: string;
  /** How often this nonce was used, including this time. */
  count: number;
  cnonce: string;
  body: Buffer;
}

/** The strongest challenge that can be answered, or null. */
export function chooseChallenge(values: readonly string[]): Challenge | null {
  const known = values.map(parseChallenge).filter((one) => one !== null);
  return known.find((one) => one.algorithm === "SHA-256") ?? known[0] ?? null;
}

function parseChallenge(value: string): Challenge | null {
  const space = value.search(/[ \t]/);
  if (space < 0 || value.slice(0, space).toLowerCase() !== "digest") return null;
  const params = parseParams(value.slice(space + 1), ",");
  const algorithmText = params.get("algorithm") ?? null;
  const match = /^(md5|sha-256)(-sess)?$/i.exec(algorithmText ?? "MD5");
  const realm = params.get("realm");
  const nonce = params.get("nonce");
  if (match === null || realm === undefined || nonce === undefined) return null;
  const offered = params
    .get("qop")
    ?.toLowerCase()
    .split(",")
    .map((one) => one.trim());
  const qop = offered === undefined ? null : offered.includes("auth") ? "auth" : offered.includes("auth-int") ? "auth-int" : null;
  if (offered !== undefined && qop === null) return null;
  const algorithm = match[1]?.toUpperCase() === "MD5" ? "MD5" : "SHA-256";
  const isStale = params.get("stale")?.toLowerCase() === "true";
  return { realm, nonce, opaque: params.get("opaque") ?? null, algorithm, isSession: match[2] !== undefined, qop, isStale, algorithmText };
}

/** The value of Authorization or Proxy-Authorization. */
export function answerChallenge(input: DigestInput): string {
  const { challenge, user, uri, cnonce } = input;
  const nc = input.count.toString(16).padStart(8, "0");
  const parts = [
    `username=${quote(user)}`,
    `realm=${quote(challenge.realm)}`,
    `nonce=${quote(challenge.nonce)}`,
    `uri=${quote(uri)}`,
    `response="${responseOf(input, nc)}"`,
    ...(challenge.algorithmText === null ? [] : [`algorithm=${challenge.algorithmText}`]),
    ...(challenge.opaque === null ? [] : [`opaque=${quote(challenge.opaque)}`]),
    ...(challenge.qop === null ? [] : [`qop=${challenge.qop}`, `nc=${nc}`]),
    ...(challenge.qop === null && !challenge.isSession ? [] : [`cnonce=${quote(cnonce)}`]),
  ];
  return `Digest ${parts.join(", ")}`;
}

function responseOf({ challenge, user, password, method, uri, cnonce, body }: DigestInput, nc: string): string {
  const hash = (text: string | Buffer) => hasher(challenge.algorithm).update(text).digest("hex");
  const secret = hash(`${user}:${challenge.realm}:${password}`);
  const one = challenge.isSession ? hash(`${secret}:${challenge.nonce}:${cnonce}`) : secret;
  const two = hash(challenge.qop === "auth-int" ? `${method}:${uri}:${hash(body)}` : `${method}:${uri}`);
  return hash([one, challenge.nonce, ...(challenge.qop === null ? [] : [nc, cnonce, challenge.qop]), two].join(":"));
}

function hasher(algorithm: Challenge["algorithm"]): Hash {
  return createHash(algorithm === "MD5" ? "md5" : "sha256");
}
