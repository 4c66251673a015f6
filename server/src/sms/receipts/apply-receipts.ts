import type { Ctx, Tx } from "#platform/index.ts";
import { changeSms } from "../change/change-sms.ts";
import { listParts, lockSms, type SmsKey } from "../rows.sql.ts";
import type { PartRow } from "../shapes.ts";
import { partStates } from "../states.ts";
import type { SmsReceipt } from "../transport.ts";
import { judgeParts } from "./judge-parts.ts";
import { chooseMatch, type IdForm, spellingsOf } from "./provider-ids.ts";
import { insertIdForm, listIdForms, listPartsById, updateParts } from "./sql.ts";

/** For so long a carrier's id names one message: afterwards it may give it again. */
const matchedMs = 72 * 3_600_000;
const candidatesMax = 20;

/** Applies reports to the parts that they are about. Answers those that fitted none. `timed` goes by the database's time. */
export async function applyReceipts(tx: Tx, timed: Ctx, receipts: readonly SmsReceipt[]): Promise<SmsReceipt[]> {
  if (receipts.length === 0) return [];
  const { matched, unmatched, learned } = await matchReceipts(tx, receipts, new Date(timed.now().getTime() - matchedMs));
  const keys = keysOf(matched.map(({ part }) => part));
  // Whoever changes a part holds its message first.
  await lockSms(tx, keys);
  const told = matched.filter(({ receipt }) => receipt.state !== "accepted").map(({ receipt, part }) => reported(part, receipt, timed.now()));
  await updateParts(tx, firstOfEach(told), partStates.moves);
  await judge(tx, timed, keys);
  for (const [provider, form] of learned) await insertIdForm(tx, { provider, form });
  return unmatched;
}

interface Matched {
  matched: { receipt: SmsReceipt; part: PartRow }[];
  unmatched: SmsReceipt[];
  /** How carriers turned out to spell ids. */
  learned: Map<string, IdForm>;
}

/** Finds the part that each report is about, among those that were accepted since a time. */
async function matchReceipts(tx: Tx, receipts: readonly SmsReceipt[], since: Date): Promise<Matched> {
  const forms = new Map((await listIdForms(tx, [...new Set(receipts.map(({ provider }) => provider))])).map(({ provider, form }) => [provider, form]));
  const ids = receipts.flatMap(({ provider, provider_message_id }, place) => spellingsOf(provider_message_id).map((folded) => ({ place, provider, folded })));
  const candidates = Map.groupBy(await listPartsById(tx, ids, { since, most: candidatesMax }), ({ asked }) => asked);
  const found: Matched = { matched: [], unmatched: [], learned: new Map() };
  for (const [place, receipt] of receipts.entries()) {
    const { provider, provider_message_id } = receipt;
    const known = forms.get(provider) ?? null;
    const match = chooseMatch(candidates.get(place) ?? [], provider_message_id, known);
    if (match === null) {
      found.unmatched.push(receipt);
      continue;
    }
    found.matched.push({ receipt, part: match.part });
    if (!match.isCertain || match.form === known) continue;
    forms.set(provider, match.form);
    found.learned.set(provider, match.form);
  }
  return found;
}

/** What came first of each part: the others are repetitions. */
function firstOfEach(parts: readonly PartRow[]): PartRow[] {
  const first = new Map<string, PartRow>();
  for (const part of parts) {
    const name = `${part.project_id} ${part.livemode} ${part.sms_id} ${part.place}`;
    if (!first.has(name)) first.set(name, part);
  }
  return [...first.values()];
}

function reported(part: PartRow, { state, code, provider_code }: SmsReceipt, now: Date): PartRow {
  return { ...part, status: state === "delivered" ? "delivered" : "undelivered", code, provider_code, reported_at: now };
}

/** Works out what the parts of messages come to. */
export async function judge(tx: Tx, timed: Ctx, keys: readonly SmsKey[]): Promise<void> {
  if (keys.length === 0) return;
  const parts = Map.groupBy(await listParts(tx, keys), ({ sms_id }) => sms_id);
  await changeSms(tx, timed, { keys, change: (row) => judgeParts(row, parts.get(row.id) ?? [], timed.now()) });
}

function keysOf(parts: readonly PartRow[]): SmsKey[] {
  return [...new Map(parts.map(({ project_id, livemode, sms_id }) => [sms_id, { project_id, livemode, id: sms_id }])).values()];
}
