import { createHash } from "node:crypto";
import type { Claim } from "../context.ts";
import { type AppError, platformErrors } from "../errors.ts";
import { type Db, pipeline, refusing, type Tx, writesMore } from "../sql.ts";
import {
  type ClaimedResult,
  deleteKey,
  deleteOldKeys,
  deleteUnfinishedKey,
  findHeldKey,
  findKey,
  insertClaims,
  insertKey,
  type KeyOf,
  type StoredKey,
  updateKeyResult,
} from "./sql.ts";

/**
 * Reads the header: bare, or quoted with `\\"` and `\\\\` as RFC 8941 writes strings; 1–255 visible ASCII characters. Throws
 * idempotency_key_invalid.
 */
export function readIdempotencyKey(header: string): string {
  const quoted = /^"((?:[^"\\]|\\.)*)"$/.exec(header)?.[1]?.replace(/\\(["\\])/g, "$1");
  const bare = quoted ?? header;
  if ((quoted === undefined && header.startsWith('"')) || !/^[\x21-\x7e]{1,255}$/.test(bare))
    throw platformErrors.idempotency_key_invalid({ param: "Idempotency-Key" });
  return bare;
}

/** SHA-256 of a validated body, hex; the order of an object's keys doesn't matter. */
export function fingerprintOf(body: unknown): string {
  return createHash("sha256").update(canonicalJson(body)).digest("hex");
}

/**
 * Writes the claim and runs `work`, or returns the committed result of the first request with this key. Throws idempotency_key_reused for
 * another body, and idempotency_key_in_use while the first request's work of several transactions isn't finished. Waits up to the lock
 * timeout for a claim that is being written elsewhere.
 */
export async function runClaimed<T>(tx: Tx, claim: Claim, work: () => Promise<T>): Promise<T> {
  if (!(await insertKey(tx, claim).catch(refuseHeld))) {
    const first = await findKey(tx, claim);
    if (first === null) throw inUse();
    if (!(await isSameBody(claim, first.fingerprint))) throw platformErrors.idempotency_key_reused({ param: "Idempotency-Key" });
    if (!first.finished) throw inUse();
    claim.replayed = true;
    return revive(first.result) as T;
  }
  writesMore(tx);
  const result = await work();
  await updateKeyResult(tx, claim, JSON.stringify(result ?? null));
  return result;
}

/** The committed result of an earlier request with this key; null if there is none, or it isn't finished. Throws idempotency_key_reused. */
export async function findReplay(db: Db, claim: Claim): Promise<{ result: unknown } | null> {
  const first = await findKey(db, claim);
  if (first === null || !first.kept || !first.finished) return null;
  if (!(await isSameBody(claim, first.fingerprint))) throw platformErrors.idempotency_key_reused({ param: "Idempotency-Key" });
  claim.replayed = true;
  return { result: revive(first.result) };
}

/** How a request with a key stands to others: the first, beside an unfinished one with the same body, or after a finished one. */
export type HeldClaim = { state: "first" } | { state: "beside" } | { state: "done"; result: unknown };

/**
 * For work of several transactions: claims the key before the first of them, so that two requests with one key and different bodies can't
 * both begin. A request with the same body may already be doing the work, which the work must tolerate. Throws idempotency_key_reused.
 */
export async function holdClaim(tx: Tx, claim: Claim): Promise<HeldClaim> {
  if (await insertKey(tx, claim).catch(refuseHeld)) return { state: "first" };
  const first = await findHeldKey(tx, claim);
  if (first === null) throw inUse();
  if (!(await isSameBody(claim, first.fingerprint))) throw platformErrors.idempotency_key_reused({ param: "Idempotency-Key" });
  if (first.result === null) return { state: "beside" };
  claim.replayed = true;
  return { state: "done", result: revive(first.result) };
}

/** Writes the result of the work under its key, also if the request that claimed it failed in the meantime and released it. */
export async function finishClaim(tx: Tx, claim: Claim, result: unknown): Promise<void> {
  const text = JSON.stringify(result ?? null);
  if (!(await updateKeyResult(tx, claim, text))) await insertClaims(tx, [{ claim, result: text }]);
  claim.used = true;
}

/** Releases the key of work that failed. One that another request finished keeps its result. */
export function dropClaim(tx: Tx, claim: Claim): Promise<void> {
  return deleteUnfinishedKey(tx, claim);
}

async function isSameBody(claim: Claim, fingerprint: string): Promise<boolean> {
  if (fingerprint === claim.fingerprint || fingerprint === claim.former_fingerprint) return true;
  return (await claim.findWholeFingerprints?.())?.includes(fingerprint) ?? false;
}

/** A wait for a key timed out, because another request is writing it. */
function heldFault(error: unknown): unknown {
  if ((error as { code?: unknown }).code !== "55P03") return error;
  return inUse(error as Error);
}

function inUse(cause?: Error): AppError {
  return platformErrors.idempotency_key_in_use({ headers: { "retry-after": "1" }, ...(cause === undefined ? {} : { cause }) });
}

function refuseHeld(error: unknown): never {
  throw heldFault(error);
}

/** The outcome of one claim of a group: this request runs, an earlier result is returned, or it is refused. */
export type ClaimOutcome = { state: "new" } | { state: "replay"; result: unknown } | { state: "refused"; error: AppError };

/** Claims for a group commit: each result is written with its key; use `releaseClaim` if its effect fails in the same transaction. */
export async function claimMany(tx: Tx, rows: ClaimedResult[]): Promise<ClaimOutcome[]> {
  if (rows.length === 0) return [];
  const won = new Set((await refusing(tx, insertClaims(tx, rows), heldFault)).map(nameOf));
  const lost = rows.map(({ claim }) => claim).filter((claim) => !won.has(nameOf(claim)));
  if (lost.length === 0) return rows.map(() => ({ state: "new" }));
  const [first] = await pipeline(tx, (pipe) => [lost.map((claim) => findKey(pipe, claim))]);
  const outcomes: ClaimOutcome[] = [];
  for (const { claim } of rows) {
    const place = lost.indexOf(claim);
    outcomes.push(place === -1 ? { state: "new" } : await outcomeOfLoser(claim, first[place] ?? null));
  }
  return outcomes;
}

/** Releases a claim whose effect didn't happen, so that the key can be used again. */
export function releaseClaim(tx: Tx, claim: Claim): Promise<void> {
  return deleteKey(tx, claim);
}

async function outcomeOfLoser(claim: Claim, first: StoredKey | null): Promise<ClaimOutcome> {
  if (first === null) return { state: "refused", error: inUse() };
  if (!(await isSameBody(claim, first.fingerprint)))
    return { state: "refused", error: platformErrors.idempotency_key_reused({ param: "Idempotency-Key" }) };
  if (!first.finished) return { state: "refused", error: inUse() };
  return { state: "replay", result: revive(first.result) };
}

function nameOf(claim: KeyOf): string {
  return `${claim.project_id} ${claim.livemode} ${claim.method} ${claim.path} ${claim.key}`;
}

/** Removes keys older than 72 hours, at most `limit`; returns how many. */
export function deleteExpiredKeys(tx: Tx, limit: number): Promise<number> {
  return deleteOldKeys(tx, limit);
}

const isoInstant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** A stored result as the operation returned it: timestamps become `Date` again. */
export function revive(text: string): unknown {
  return JSON.parse(text, (_key, value) => (typeof value === "string" && isoInstant.test(value) ? instantOf(value) : value));
}

/** A caller's own text may look like a timestamp without being one (February 31); only a text that round-trips becomes a `Date`. */
function instantOf(text: string): Date | string {
  const at = new Date(text);
  return !Number.isNaN(at.getTime()) && at.toISOString() === text ? at : text;
}

/** The text to hash: JSON with each object's keys in order, without undefined values. */
export function canonicalJson(value: unknown): string {
  if (value === null || typeof value !== "object") return JSON.stringify(value) ?? "null";
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  const entries = Object.entries(value).filter(([, inner]) => inner !== undefined);
  entries.sort(([left], [right]) => (left < right ? -1 : 1));
  return `{${entries.map(([key, inner]) => `${JSON.stringify(key)}:${canonicalJson(inner)}`).join(",")}}`;
}
