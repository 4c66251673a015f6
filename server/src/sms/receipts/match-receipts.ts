import type { Ctx, Tx } from "#platform/index.ts";
import { accountOf } from "../account-of.ts";
import type { PartRow } from "../shapes.ts";
import type { SmsReceipt } from "../transport.ts";
import { chooseMatch, type IdForm, spellingsOf } from "./provider-ids.ts";
import { listIdForms, listPartsById } from "./sql.ts";

/** How long a carrier's id identifies one message; later the carrier may reuse it. */
const matchedMs = 72 * 3_600_000;
const candidatesMax = 20;

/** A report and the part that it is about. */
export interface Reported {
  receipt: SmsReceipt;
  part: PartRow;
}

interface Matched<Receipt> {
  matched: Reported[];
  unmatched: Receipt[];
  /** The spelling of ids that carriers turned out to use, by the first connection of their accounts. */
  learned: Map<string, IdForm>;
}

/**
 * Finds the part that each report is about, among those that its account accepted of late. A late response matches none: its id is in the
 * form in which the carrier gives ids, and the same text may be how it reports another message's.
 */
export async function matchReceipts<Receipt extends SmsReceipt>(
  tx: Tx,
  pinned: Ctx,
  { receipts, late }: { receipts: readonly Receipt[]; late: ReadonlySet<Receipt> },
): Promise<Matched<Receipt>> {
  const since = new Date(pinned.now().getTime() - matchedMs);
  const accounts = receipts.map(({ provider }) => accountOf(pinned, provider));
  const forms = new Map<string | undefined, IdForm>(
    (await listIdForms(tx, [...new Set(accounts.flat())])).map(({ provider, form }) => [accountOf(pinned, provider)[0], form]),
  );
  const ids = receipts.flatMap((receipt, place) =>
    isResponse(receipt)
      ? []
      : spellingsOf(receipt.provider_message_id).flatMap((folded) =>
          (accounts[place] ?? []).map((provider) => ({ place, provider, folded })),
        ),
  );
  const candidates = Map.groupBy(await listPartsById(tx, ids, { since, most: candidatesMax }), ({ asked }) => asked);
  const found: Matched<Receipt> = { matched: [], unmatched: [], learned: new Map() };
  for (const [place, receipt] of receipts.entries()) {
    const { provider_message_id } = receipt;
    const [account = receipt.provider] = accounts[place] ?? [];
    const known = forms.get(account) ?? null;
    const match = chooseMatch(candidates.get(place) ?? [], provider_message_id, known);
    if (match === null || !(match.isExpected || late.has(receipt))) {
      found.unmatched.push(receipt);
      continue;
    }
    found.matched.push({ receipt, part: match.part });
    if (!match.isInstructive || match.form === known) continue;
    forms.set(account, match.form);
    found.learned.set(account, match.form);
  }
  return found;
}

/** A late response to a part in doubt. */
function isResponse({ message }: SmsReceipt): boolean {
  return message?.place != null;
}
