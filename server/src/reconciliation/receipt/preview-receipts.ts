import {
  type Account,
  findAccount,
  findProfile,
  laterState,
  listReceiptsOfNumbers,
  newReceipt,
  type ReceiptRow,
} from "#collection/index.ts";
import type { Ctx, Db, Tenant } from "#platform/index.ts";
import { completed } from "./match/complete-known.ts";
import { loadWorld } from "./match/load-world.ts";
import { type Played, playReceipts } from "./match/play-receipts.ts";
import { isUndecided, type MatchData } from "./match/world.ts";
import { accountOf, type Outcome, outcomeOfKnown, type RowOutcome } from "./match-receipt.ts";
import { type ReceiptInput, readReceiptCurrency } from "./record-receipt.ts";
import { suggestIn } from "./suggest.ts";

/** The expected result of a receipt. `skipped`: its number is known already, and the new information changes nothing. */
export interface Previewed {
  outcome: RowOutcome;
  /** The order that it would pay, be linked to or be held for; null if it is another project's, or none. */
  order_id: string | null;
  /** It concerns an order of another project of the merchant. */
  elsewhere: boolean;
  /** Its number was recorded before. */
  known: boolean;
  /** Too much was requested at the time for a preview to decide: recording it may settle or hold it. */
  undecided: boolean;
}

interface Line {
  index: number;
  /** As it would be written, or as stored with the newly reported state. */
  row: ReceiptRow;
  known: boolean;
}

interface Group {
  account: Account;
  lines: Line[];
}

const skipped: Previewed = { outcome: "skipped", order_id: null, elsewhere: false, known: true, undecided: false };

/**
 * What recording these would do, decided by the same rules on the same data, without writing anything: new ones are recorded, and for known
 * ones the state is updated and waiting ones are decided again. The later result may differ, because it is decided again.
 */
export async function previewReceipts(ctx: Ctx, tenant: Tenant, inputs: readonly ReceiptInput[]): Promise<Previewed[]> {
  const answers = new Map<number, Previewed>();
  for (const group of await groupsOf(ctx, tenant, inputs))
    for (const [index, previewed] of await previewAccount(ctx, tenant, group)) answers.set(index, previewed);
  return inputs.map((_input, index) => answers.get(index) ?? skipped);
}

/** The lines to decide, by account. */
async function groupsOf(ctx: Ctx, tenant: Tenant, inputs: readonly ReceiptInput[]): Promise<Iterable<Group>> {
  const groups = new Map<string, Group>();
  const add = (account: Account, line: Line) => {
    const name = `${account.channel} ${account.account_ref}`;
    const group = groups.get(name) ?? { account, lines: [] };
    group.lines.push(line);
    groups.set(name, group);
  };
  const rows: ReceiptRow[] = [];
  for (const input of inputs) {
    const account = await findAccount(ctx.db, tenant, input);
    rows.push(newReceipt(ctx, { tenant, account, receipt: { ...input, currency: readReceiptCurrency(ctx, input) } }));
  }
  const known = await knownOf(ctx.db, rows);
  const seen = new Set<string>();
  for (const [index, row] of rows.entries()) {
    const name = nameOf(row);
    const before = name === null ? undefined : known.get(name);
    if (name !== null && seen.has(name)) continue;
    if (name !== null) seen.add(name);
    if (before === undefined) add(accountOf(row), { index, row, known: false });
    else if (before.amount_minor === row.amount_minor)
      add(accountOf(before), {
        index,
        row: { ...(completed(ctx, tenant, { known: before, reported: row }) ?? before), state: laterState(before.state, row.state) },
        known: true,
      });
  }
  return groups.values();
}

function nameOf(row: ReceiptRow): string | null {
  return row.external_key === null ? null : `${row.channel} ${row.external_key}`;
}

async function knownOf(db: Db, rows: readonly ReceiptRow[]): Promise<Map<string, ReceiptRow>> {
  const known = new Map<string, ReceiptRow>();
  for (const channel of new Set(rows.map((row) => row.channel))) {
    const own = rows.filter((row) => row.channel === channel);
    const keys = own.flatMap((row) => row.external_key ?? []);
    const [first] = own;
    if (first === undefined || keys.length === 0) continue;
    for (const receipt of await listReceiptsOfNumbers(db, first, keys)) known.set(nameOf(receipt) ?? "", receipt);
  }
  return known;
}

async function previewAccount(ctx: Ctx, tenant: Tenant, { account, lines }: Group): Promise<Map<number, Previewed>> {
  const answers = new Map<number, Previewed>();
  const rows = lines.map(({ row }) => row);
  const ids = new Set(rows.map((row) => row.id));
  const world = await loadWorld(ctx.db, account, { receipts: rows, around: ["unmatched", "linked", "matched"] });
  const model: MatchData = { ...world, receipts: [...world.receipts.filter((receipt) => !ids.has(receipt.id)), ...rows] };
  const rules = (await findProfile(ctx.db, tenant, account.channel))?.ignore_rules ?? [];
  const played = playReceipts(model, rows.filter(isUndecided), rules);
  for (const { index, row, known } of lines) {
    const undecided = model.isCut === true && mayBeOurs(played.get(row.id));
    const previewed = { ...shown(tenant, played.get(row.id)), known, undecided };
    answers.set(index, known && outcomeOfKnown(previewed.outcome) === "skipped" ? { ...skipped, undecided } : previewed);
  }
  for (const { index, row } of lines) {
    const before = answers.get(index);
    if (before?.outcome !== "unmatched") continue;
    const [first] = suggestIn({ world: model, receipt: row, sessions: new Map(), tenant });
    if (first !== undefined)
      answers.set(index, { ...before, outcome: "suggested", order_id: first.order_id, elsewhere: first.elsewhere, known: false });
  }
  return answers;
}

/** What is requested for it may be missing from a world that is cut. */
function mayBeOurs(played: Played | undefined): boolean {
  return played?.verdict.kind === "wait" && (played.verdict.reason === "ambiguous" || played.verdict.reason === "no_mark");
}

function shown(tenant: Tenant, played: Played | undefined): Omit<Previewed, "known" | "undecided"> & { outcome: Outcome } {
  if (played === undefined) return { outcome: "unmatched", order_id: null, elsewhere: false };
  const { outcome, verdict } = played;
  const place =
    verdict.kind === "book" || verdict.kind === "mismatch" ? verdict.reservation : verdict.kind === "link" ? verdict.piece : null;
  if (place === null) return { outcome, order_id: null, elsewhere: false };
  const elsewhere = place.project_id !== tenant.project_id;
  return { outcome, order_id: elsewhere ? null : place.order_id, elsewhere };
}
