import { type Ctx, findNow, type Tx } from "#platform/index.ts";
import { changeSms } from "../change/change-sms.ts";
import { listParts, lockSms, type SmsKey } from "../rows.sql.ts";
import type { PartRow } from "../shapes.ts";
import { partStates } from "../states.ts";
import type { SmsReceipt } from "../transport.ts";
import { judgeParts } from "./judge-parts.ts";
import { chooseMatch, type IdForm, spellingsOf } from "./provider-ids.ts";
import { insertIdForm, listIdForms, listPartsById, updatePart } from "./sql.ts";

/** For so long a carrier's id names one message: afterwards it may give it again. */
const matchedMs = 72 * 3_600_000;
const candidatesMax = 20;

/** Applies reports to the parts that they are about. Answers those that fitted none. `timed` goes by the database's time. */
export async function applyReceipts(tx: Tx, timed: Ctx, receipts: readonly SmsReceipt[]): Promise<SmsReceipt[]> {
  if (receipts.length === 0) return [];
  const forms = new Map((await listIdForms(tx, [...new Set(receipts.map(({ provider }) => provider))])).map(({ provider, form }) => [provider, form]));
  const [matched, unmatched]: [{ receipt: SmsReceipt; part: PartRow }[], SmsReceipt[]] = [[], []];
  for (const receipt of receipts) {
    const part = await findPart(tx, { receipt, forms });
    if (part === null) unmatched.push(receipt);
    else matched.push({ receipt, part });
  }
  const keys = keysOf(matched.map(({ part }) => part));
  // Whoever changes a part holds its message first.
  await lockSms(tx, keys);
  for (const { receipt, part } of matched) if (receipt.state !== "accepted") await updatePart(tx, reported(part, receipt, timed.now()), partStates.moves);
  await judge(tx, timed, keys);
  return unmatched;
}

async function findPart(tx: Tx, { receipt, forms }: { receipt: SmsReceipt; forms: Map<string, IdForm> }): Promise<PartRow | null> {
  const { provider, provider_message_id } = receipt;
  const since = new Date((await findNow(tx)).getTime() - matchedMs);
  const candidates = await listPartsById(tx, { provider, folded: spellingsOf(provider_message_id), since, limit: candidatesMax });
  const known = forms.get(provider) ?? null;
  const match = chooseMatch(candidates, provider_message_id, known);
  if (match === null) return null;
  if (match.isCertain && match.form !== known) {
    forms.set(provider, match.form);
    await insertIdForm(tx, { provider, form: match.form });
  }
  return match.part;
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
