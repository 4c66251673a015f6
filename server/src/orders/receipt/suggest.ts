import type { ReceiptRow } from "#collection/index.ts";
import type { Db, Tenant } from "#platform/index.ts";
import { findMark } from "./match/find-mark.ts";
import { loadWorld } from "./match/load-world.ts";
import { listAskedSessions } from "./match/sql.ts";
import { type Asked, type World, wasAsked } from "./match/world.ts";
import { accountOf } from "./match-receipt.ts";

/** A payment that a waiting receipt may belong to. For another project of the merchant, only its existence is shown. */
export interface Suggestion {
  order_id: string | null;
  payment_session_id: string | null;
  /** The reason: its code, the requested amount, the order's own amount, or an approval without a receipt. */
  fits: "code" | "payable" | "nominal" | "approved";
  amount_minor: number;
  asked_at: Date | null;
  elsewhere: boolean;
}

const suggestionsMax = 20;
const ranks = { code: 0, approved: 1, payable: 2, nominal: 3 } as const;

/** Suggestions for waiting receipts, by receipt; others have none. All receipts belong to one project. */
export async function listSuggestions(db: Db, tenant: Tenant, receipts: readonly ReceiptRow[]): Promise<Map<string, Suggestion[]>> {
  const found = new Map<string, Suggestion[]>();
  const waiting = receipts.filter((receipt) => receipt.status === "unmatched");
  const accounts = new Map(waiting.map((receipt) => [`${receipt.channel} ${receipt.account_ref}`, accountOf(receipt)]));
  for (const [name, account] of accounts) {
    const own = waiting.filter((receipt) => `${receipt.channel} ${receipt.account_ref}` === name);
    const world = await loadWorld(db, account, { receipts: own, around: [] });
    const keys = world.askings.map((asking) => ({ project_id: asking.project_id, id: asking.id }));
    const sessions = new Map(keys.length === 0 ? [] : (await listAskedSessions(db, account.livemode, keys)).map((row) => [row.asking_id, row.id]));
    for (const receipt of own) found.set(receipt.id, suggestIn({ world, receipt, sessions, tenant }));
  }
  return found;
}

/** Like `listSuggestions`, on loaded data. */
export function suggestIn(given: { world: World; receipt: ReceiptRow; sessions: Map<string, string>; tenant: Tenant }): Suggestion[] {
  const { world, receipt, sessions, tenant } = given;
  const mark = findMark({ ...receipt, amount_minor: -1 }, world.askings);
  const named = new Set(mark.kind === "code" ? [mark.asking.id] : mark.kind === "several" ? mark.askings.map((asking) => asking.id) : []);
  const best = new Map<string, { asking: Asked; fits: Suggestion["fits"] }>();
  for (const asking of world.askings) {
    if (!wasAsked(asking, receipt.occurred_at)) continue;
    const fits = fitOf(world, { asking, receipt, isNamed: named.has(asking.id) });
    const before = best.get(asking.order_id);
    if (fits !== null && (before === undefined || ranks[fits] < ranks[before.fits])) best.set(asking.order_id, { asking, fits });
  }
  const apart = (asking: Asked) => Math.abs(asking.asked_from.getTime() - receipt.occurred_at.getTime());
  const sorted = [...best.values()].sort((one, other) => ranks[one.fits] - ranks[other.fits] || apart(one.asking) - apart(other.asking));
  return sorted.slice(0, suggestionsMax).map(({ asking, fits }) => shown({ asking, fits, session: sessions.get(asking.id) ?? null, tenant }));
}

function fitOf(world: World, given: { asking: Asked; receipt: ReceiptRow; isNamed: boolean }): Suggestion["fits"] | null {
  const { asking, receipt, isNamed } = given;
  const order = world.orders.get(asking.order_id);
  if (order === undefined || order.status === "canceled") return isNamed ? "code" : null;
  if (isNamed) return "code";
  // Refunded or pending money is shown with the order that it was sent for, whatever its outcome.
  if (order.status === "paid" && receipt.state === "final") {
    const isOpen = world.pieces.some(
      (piece) => piece.order_id === order.id && piece.amount_minor === receipt.amount_minor && !piece.sources.includes(receipt.source),
    );
    return isOpen ? "approved" : null;
  }
  if (asking.amount_minor === receipt.amount_minor) return "payable";
  return asking.nominal_minor === receipt.amount_minor ? "nominal" : null;
}

function shown(given: { asking: Asked; fits: Suggestion["fits"]; session: string | null; tenant: Tenant }): Suggestion {
  const { asking, fits, session, tenant } = given;
  const elsewhere = asking.project_id !== tenant.project_id;
  return {
    order_id: elsewhere ? null : asking.order_id,
    payment_session_id: elsewhere ? null : session,
    fits,
    amount_minor: asking.amount_minor,
    asked_at: elsewhere ? null : asking.asked_from,
    elsewhere,
  };
}
