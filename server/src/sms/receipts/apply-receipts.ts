import type { Ctx, Tx } from "#platform/index.ts";
import { accountOf } from "../account-of.ts";
import { changeSms } from "../change/change-sms.ts";
import { errorOf } from "../error-words.ts";
import { listParts, lockSms, type SmsKey } from "../rows.sql.ts";
import type { PartRow, SmsRow } from "../shapes.ts";
import { partStates } from "../states.ts";
import type { SmsReceipt } from "../transport.ts";
import { classifyParts } from "./classify-parts.ts";
import { matchReceipts, type Reported } from "./match-receipts.ts";
import { foldId, refusalId, spellingsOf } from "./provider-ids.ts";
import { deleteEarly, deleteEarlyOf, insertEarly, insertIdForm, insertParts, updateParts } from "./sql.ts";

/**
 * Applies reports to their parts. Returns those that matched none. `pinned` has the database's time. `late`: reports that no response can
 * still belong to, so that they may also match in a base that the carrier isn't known to use.
 */
export async function applyReceipts<Receipt extends SmsReceipt>(
  tx: Tx,
  pinned: Ctx,
  { receipts, late = [] }: { receipts: readonly Receipt[]; late?: readonly Receipt[] },
): Promise<Receipt[]> {
  if (receipts.length === 0) return [];
  const { matched, unmatched, learned } = await matchReceipts(tx, pinned, { receipts, late: new Set(late) });
  // A change of a part locks its message first.
  const held = await lockSms(tx, uniqueKeys([...keysOf(matched), ...unmatched.flatMap(({ message }) => message ?? [])]));
  const refused = await refuse(tx, pinned, { held, receipts: unmatched.filter(isRefusal) });
  const adopted = await adopt(tx, pinned, { held, receipts: unmatched.filter((receipt) => !isRefusal(receipt)) });
  const known = [...matched, ...adopted];
  const updates = known
    .filter(({ receipt }) => receipt.state !== "accepted")
    .map(({ receipt, part }) => reported(part, receipt, pinned.now()));
  await updateParts(tx, firstOfEach(updates), partStates.moves);
  await updateStatus(tx, pinned, uniqueKeys(keysOf(known)));
  for (const [provider, form] of learned) await insertIdForm(tx, { provider, form });
  // Reports of whole texts identify their messages themselves.
  const answered = adopted.flatMap(({ receipt, part }) => (receipt.message?.place == null ? [] : [part]));
  await applyEarly(tx, pinned, answered);
  const taken = new Set<SmsReceipt>([...adopted.map(({ receipt }) => receipt), ...refused]);
  return unmatched.filter((receipt) => !taken.has(receipt));
}

type Named = Pick<PartRow, "provider" | "provider_message_id">;

/** Applies the reports that came before the ids of these parts were stored. */
export async function applyEarly(tx: Tx, pinned: Ctx, parts: readonly Named[]): Promise<void> {
  const ids = parts.flatMap(({ provider_message_id }) => provider_message_id ?? []);
  if (ids.length === 0) return;
  const providers = [...new Set(parts.flatMap(({ provider }) => accountOf(pinned, provider)))];
  const early = await deleteEarly(tx, { providers, folded: [...new Set(ids.flatMap(spellingsOf))] });
  await insertEarly(tx, await applyReceipts(tx, pinned, { receipts: early }));
}

/** Applies the reports that came early and that identify messages whose responses have been lost since. */
export async function applyNamed(tx: Tx, pinned: Ctx, keys: readonly SmsKey[]): Promise<void> {
  if (keys.length === 0) return;
  await insertEarly(tx, await applyReceipts(tx, pinned, { receipts: await deleteEarlyOf(tx, keys) }));
}

/** A refusal of a part that arrived before the message was in doubt; see `takeRefusal`. */
function isRefusal({ provider_message_id, message }: SmsReceipt): boolean {
  return provider_message_id === refusalId && message?.place != null;
}

/** Ends messages in doubt whose carrier refused the part that is in doubt. Returns the refusals that were about one. */
async function refuse(
  tx: Tx,
  pinned: Ctx,
  { held, receipts }: { held: readonly SmsRow[]; receipts: readonly SmsReceipt[] },
): Promise<SmsReceipt[]> {
  const byId = new Map<string, SmsReceipt>();
  for (const row of held) {
    const refusal = receipts.find((receipt) => sameKey(receipt.message, row) && isDoubtful(row, receipt));
    if (refusal !== undefined) byId.set(row.id, refusal);
  }
  await changeSms(tx, pinned, {
    keys: [...byId.values()].flatMap(({ message }) => message ?? []),
    change({ id }) {
      const { provider, code, provider_code } = byId.get(id) as SmsReceipt;
      return { status: "undelivered", provider, error: errorOf(code ?? "", { provider_code }) };
    },
  });
  return [...byId.values()];
}

/**
 * Finds messages whose responses were lost, and which are identified by our own reference: their carrier has them, under the ids that it
 * reports. One whose last parts weren't sent only gets the part's id.
 */
async function adopt(
  tx: Tx,
  pinned: Ctx,
  { held, receipts }: { held: readonly SmsRow[]; receipts: readonly SmsReceipt[] },
): Promise<Reported[]> {
  const adopted = new Map<string, Reported[]>();
  for (const receipt of receipts) {
    const row = held.find(({ project_id, livemode, id }) => sameKey(receipt.message, { project_id, livemode, id }));
    if (row === undefined || !isDoubtful(row, receipt)) continue;
    const part = partOf(row, receipt, pinned.now());
    const before = adopted.get(row.id) ?? [];
    if (before.every((one) => one.part.provider_message_id === part.provider_message_id))
      adopted.set(row.id, [...before, { receipt, part }]);
  }
  const found = [...adopted.values()].flat();
  await insertParts(
    tx,
    found.map(({ part }) => ({ ...part, folded_id: foldId(part.provider_message_id ?? "") })),
  );
  await changeSms(tx, pinned, {
    keys: uniqueKeys(keysOf(found)),
    change({ id, segments }) {
      const receipt = adopted.get(id)?.[0]?.receipt;
      const place = receipt?.message?.place ?? null;
      if (place !== null && place + 1 < segments) return null;
      return { error: null, segments_sent: segments, provider: receipt?.provider ?? null };
    },
  });
  return found;
}

/** Parts whose responses arrived are known by their ids: the next one is in doubt. */
export function isDoubtful({ status, error, provider, segments_sent }: SmsRow, receipt: Pick<SmsReceipt, "provider" | "message">): boolean {
  const isNext = segments_sent === (receipt.message?.place ?? 0);
  return status === "sent" && error?.code === "outcome_unknown" && isNext && (provider === null || provider === receipt.provider);
}

function partOf({ project_id, livemode, id }: SmsRow, { provider, provider_message_id, message }: SmsReceipt, now: Date): PartRow {
  const unreported = { status: "sent", code: null, provider_code: null, reported_at: null, occurred_at: null } as const;
  return { project_id, livemode, sms_id: id, place: message?.place ?? 0, provider, provider_message_id, ...unreported, created_at: now };
}

/** The first report of each part: the others are repetitions. */
function firstOfEach(parts: readonly PartRow[]): PartRow[] {
  const first = new Map<string, PartRow>();
  for (const part of parts) {
    const name = `${part.project_id} ${part.livemode} ${part.sms_id} ${part.place}`;
    if (!first.has(name)) first.set(name, part);
  }
  return [...first.values()];
}

function reported(part: PartRow, { state, code, provider_code, occurred_at }: SmsReceipt, now: Date): PartRow {
  const status = state === "delivered" ? "delivered" : "undelivered";
  return { ...part, status, code, provider_code, reported_at: now, occurred_at: bounded(occurred_at, part.created_at, now) };
}

/** A carrier's clock may be wrong, or show minutes only: nothing happened before the part was accepted or after its report arrived. */
function bounded(at: Date | null, earliest: Date, latest: Date): Date | null {
  if (at === null || (at >= earliest && at <= latest)) return at;
  return at < earliest ? earliest : latest;
}

/** Derives messages' statuses from their parts. */
export async function updateStatus(tx: Tx, pinned: Ctx, keys: readonly SmsKey[]): Promise<void> {
  if (keys.length === 0) return;
  const parts = Map.groupBy(await listParts(tx, keys), ({ sms_id }) => sms_id);
  await changeSms(tx, pinned, { keys, change: (row) => classifyParts(row, parts.get(row.id) ?? [], pinned.now()) });
}

function keysOf(reported: readonly Reported[]): SmsKey[] {
  return reported.map(({ part: { project_id, livemode, sms_id } }) => ({ project_id, livemode, id: sms_id }));
}

function uniqueKeys(keys: readonly SmsKey[]): SmsKey[] {
  return [...new Map(keys.map((key) => [`${key.project_id} ${key.livemode} ${key.id}`, key])).values()];
}

function sameKey(left: SmsKey | undefined, right: SmsKey): boolean {
  return left !== undefined && left.id === right.id && left.project_id === right.project_id && left.livemode === right.livemode;
}
