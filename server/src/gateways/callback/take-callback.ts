import { AppError, type Ctx, isUnavailable, storable } from "#platform/index.ts";
import { callGateway } from "../call/call-gateway.ts";
import { type OpenAccount, openAccount } from "../call/open-account.ts";
import type { CallbackAnswer, CallbackHint, CallbackRefusal, CallbackVerdict, RawCallback } from "../callback-port.ts";
import { type CredentialPlace, findCredentialPlace, listPlacesOfHint, listUnnamedPlaces } from "./places.sql.ts";
import { sharedLookup } from "./shared-lookup.ts";
import { deleteOldStrays, insertStray, type StoredCallback } from "./sql.ts";
import { type Stored, storeCallback } from "./store-callback.ts";

export interface Incoming {
  gateway: string;
  /** From the address; null for the address that all accounts of a gateway share. */
  credentialId: string | null;
  raw: RawCallback;
  /** Whether the receiving process applies it right away; otherwise a worker does. */
  isAppliedNow: boolean;
  /** The tenants of the payment in the hint, for callbacks that don't identify their account. */
  listPlaces(hint: CallbackHint): Promise<CredentialPlace[]>;
  /** The sender, as far as it can be limited; absent for this program's own requests. */
  sender?: CallbackSender;
}

/** The sender of callbacks. One address may send for many accounts, as providers do: refusals of one account don't affect the others. */
export interface CallbackSender {
  /** Called before anything is verified or stored, with its account; null if it matches none. Throws to delay its sender. */
  admit(credentialId: string | null): Promise<void>;
  /** Whether an unsigned callback may cause a request about a payment right away. */
  mayAsk(payment: string): Promise<boolean>;
}

export interface Taken {
  /** `stored`, `repeated`, `failed`, `nobody`, or why it was refused. */
  outcome: "stored" | "repeated" | "failed" | "nobody" | CallbackRefusal;
  /** Its account; null if none matched. */
  credential_id: string | null;
  /** Null if it matches no account, which gets the same response as any address that doesn't exist. */
  answer: CallbackAnswer | null;
  /** A callback to apply now, and its account. */
  callback: StoredCallback | null;
  opened: OpenAccount | null;
}

/** A callback that wasn't applied by then is handled by a worker. */
const appliedWithinMs = 20_000;
/** Unsigned callbacks that come too often are combined into one, which is applied after this time. */
const gatheredMs = 60_000;
const strays = { retentionDays: 30, most: 1_000, maxBytes: 32 * 1024 * 1024 };

/**
 * Receives a provider's callback: finds the one account that it can be for, verifies its raw bytes there, and stores it once. An account's
 * secrets are only tried on its own callbacks. A refused one only adds a log line, a count and a stray.
 */
export async function takeCallback(ctx: Ctx, incoming: Incoming): Promise<Taken> {
  const { gateway, raw, sender } = incoming;
  const adapter = ctx.gateways.find(gateway);
  const hint = storable(adapter?.hint(raw) ?? null);
  const place = adapter === null ? null : await findPlace(ctx, incoming, hint);
  await sender?.admit(place?.credential_id ?? null);
  if (adapter === null || place === null) return keepStray(ctx, incoming, { credential_id: null, outcome: "nobody", answer: null });
  try {
    const { project_id, livemode, credential_id } = place;
    const opened = await sharedLookup(ctx.db, `${project_id} ${livemode} ${credential_id}`, () => openAccount(ctx, place, credential_id));
    const verdict = hint === null ? ({ ok: false, reason: "malformed" } as const) : await verify(ctx, opened, raw);
    if (!verdict.ok) return await keepStray(ctx, incoming, { ...place, outcome: verdict.reason, answer: adapter.answer(verdict.reason) });
    if (!(await isExpected(incoming, place, verdict)))
      return await keepStray(ctx, incoming, { ...place, outcome: "nobody", answer: adapter.answer("stored") });
    const isGathered = verdict.unproven !== undefined && (await sender?.mayAsk(`${credential_id} ${verdict.unproven}`)) === false;
    const { callback, isNew } = await store(ctx, incoming, { place, verdict, isGathered });
    const isToApply = isNew && !isGathered && callback.told.kind !== "nothing";
    return {
      outcome: isNew ? "stored" : "repeated",
      credential_id,
      answer: adapter.answer("stored"),
      callback: isToApply ? callback : null,
      opened,
    };
  } catch (error) {
    // The sender repeats it.
    const about = { gateway, credential: place.credential_id };
    if (isAway(error)) ctx.log.warn(about, "a callback couldn't be received: the database isn't available or is busy");
    else ctx.log.error({ err: error, ...about }, "a callback couldn't be received");
    return { outcome: "failed", credential_id: place.credential_id, answer: adapter.answer("failed"), callback: null, opened: null };
  }
}

/** Not this callback's fault: the database is away, or too many callbacks are waiting for it. */
function isAway(error: unknown): boolean {
  return isUnavailable(error) || (error instanceof AppError && error.status === 503);
}

type Believed = Extract<CallbackVerdict, { ok: true }>;

/** Anyone can send a payment's number, so an unsigned one must belong to a payment on this account. */
async function isExpected({ listPlaces }: Incoming, { credential_id }: CredentialPlace, { unproven }: Believed): Promise<boolean> {
  if (unproven === undefined) return true;
  const places = await listPlaces({ account: null, keyId: null, reference: null, providerId: unproven });
  return places.some((place) => place.credential_id === credential_id);
}

/** The address identifies the account; otherwise everything in the callback must point to the same one. */
async function findPlace(
  ctx: Ctx,
  { gateway, credentialId, listPlaces }: Incoming,
  hint: CallbackHint | null,
): Promise<CredentialPlace | null> {
  if (credentialId !== null)
    return sharedLookup(ctx.db, `${gateway} ${credentialId}`, () => findCredentialPlace(ctx.db, { gateway, id: credentialId }));
  if (hint === null) return null;
  const byPayment = hint.reference === null && hint.providerId === null ? [] : await listPlaces(hint);
  const byAccount = hint.account === null ? [] : await listPlacesOfHint(ctx.db, { gateway, account: hint.account, ofPayment: byPayment });
  const byKey = hint.keyId === null ? [] : await listPlacesOfHint(ctx.db, { gateway, keyId: hint.keyId, ofPayment: byPayment });
  // An account whose id at the provider is unknown can be any account there, so only the payment counts.
  const unnamed = byAccount.length === 0 ? [] : await listUnnamedPlaces(ctx.db, byPayment);
  const found = [[...byAccount, ...unnamed], byKey, byPayment].filter((places) => places.length > 0);
  const [first = [], ...others] = found;
  const common = first.filter((one) => others.every((places) => places.some(({ credential_id }) => credential_id === one.credential_id)));
  return common.length === 1 ? (common[0] ?? null) : null;
}

/** Tries the account's current fields, then recently replaced ones. */
async function verify(ctx: Ctx, current: OpenAccount, raw: RawCallback): Promise<CallbackVerdict> {
  const verifyWith = (opened: OpenAccount) =>
    callGateway(ctx, { opened, verb: "verify", reference: null }, (account, call) => account.verify(call, raw));
  const verdict = await verifyWith(current);
  if (verdict.ok || (verdict.reason !== "signature" && verdict.reason !== "unknown_key")) return verdict;
  for (const former of current.former) {
    const again = await verifyWith(former);
    if (again.ok) return again;
  }
  return verdict;
}

function store(
  ctx: Ctx,
  { gateway, raw, isAppliedNow }: Incoming,
  given: { place: CredentialPlace; verdict: Believed; isGathered: boolean },
): Promise<Stored> {
  const { place, verdict, isGathered } = given;
  const { event, report, unproven } = verdict;
  const { project_id, livemode, credential_id } = place;
  const dedupe_key = isGathered ? `${unproven} ${Math.floor(raw.receivedAt.getTime() / gatheredMs)}` : verdict.dedupeKey;
  const key = { project_id, livemode, credential_id, id: ctx.id("gcb"), gateway, dedupe_key };
  const wait_ms = isGathered ? gatheredMs : isAppliedNow ? appliedWithinMs : 0;
  return storeCallback(ctx, { ...key, event, told: report, is_done: report.kind === "nothing", wait_ms }, raw.body.length);
}

async function keepStray(
  ctx: Ctx,
  incoming: Incoming,
  given: { credential_id: string | null } & Pick<Taken, "outcome" | "answer">,
): Promise<Taken> {
  const { gateway, raw } = incoming;
  const { credential_id, outcome, answer } = given;
  ctx.log.warn({ gateway, credential: credential_id, reason: outcome, bytes: raw.body.length }, "a callback was refused");
  const { path, headers, body } = raw;
  try {
    await insertStray(ctx.db, {
      id: ctx.id("gst"),
      gateway: gateway.slice(0, 40),
      credential_id,
      reason: outcome,
      path: path.slice(0, 512),
      headers: headersOf(headers),
      body,
    });
    await deleteOldStrays(ctx.db, strays);
  } catch (error) {
    ctx.log.warn({ err: error }, "a refused callback couldn't be stored");
  }
  return { outcome, credential_id, answer, callback: null, opened: null };
}

/** These could be used to sign in here, so they aren't stored. */
const signingIn = new Set(["authorization", "proxy-authorization", "cookie", "x-api-key"]);

function headersOf(headers: RawCallback["headers"]): Record<string, string> {
  const entries = Object.entries(headers).filter(([name]) => !signingIn.has(name));
  return Object.fromEntries(entries.slice(0, 50).map(([name, value]) => [name, value.slice(0, 1_024)]));
}
