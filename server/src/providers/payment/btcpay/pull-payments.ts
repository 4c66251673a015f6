import { type GatewayCall, GatewayError, malformedAnswer } from "#gateways/index.ts";
import { callServer } from "./call-server.ts";
import type { BtcpayCredentials } from "./credentials.ts";
import { type Claims, type PullPayment, readClaims, readPullPayment } from "./wire.ts";

/**
 * Usually includes archived ones: what was claimed from one remains paid. The server has no pages of this list, and no search by name; a
 * call about refunds accepts some 30,000 of them.
 */
export async function listPullPayments(
  call: GatewayCall,
  credentials: BtcpayCredentials,
  { archived = true }: { archived?: boolean } = {},
): Promise<PullPayment[]> {
  const path = `/stores/${credentials.storeId}/pull-payments?includeArchived=${archived}`;
  const list = await callServer(call, credentials, { method: "GET", path, changes: false });
  if (!Array.isArray(list)) throw malformedAnswer(false);
  const all = list.map(readPullPayment).filter((one) => one !== null);
  if (all.length < list.length) throw malformedAnswer(false);
  return all;
}

/** The invoice in the name that the server gives a refund that a person makes there; null for any other name. */
export function invoiceIn(name: string | null): string | null {
  return /^Refund ([A-Za-z0-9]{8,100})$/.exec(name ?? "")?.[1] ?? null;
}

/** What was claimed from a pull payment. */
export async function claimsOf(call: GatewayCall, credentials: BtcpayCredentials, { id, amount }: PullPayment): Promise<Claims> {
  if (amount === null) throw malformedAnswer(false);
  const path = `/pull-payments/${encodeURIComponent(id)}/payouts?includeCancelled=true`;
  const claims = readClaims(await callServer(call, credentials, { method: "GET", path, changes: false }), amount.currency);
  if (claims === null) throw malformedAnswer(false);
  return claims;
}

/**
 * Returns the one of a refund's pull payments that counts, and archives the others; null if there is none. There is more than one only if a
 * request was carried out while its caller, whose connection was lost, already repeated it.
 */
export async function settleName(
  call: GatewayCall,
  credentials: BtcpayCredentials,
  { all, name }: { all: readonly PullPayment[]; name: string },
): Promise<PullPayment | null> {
  const named = all.filter((one) => one.name === name);
  const [first, ...others] = named;
  if (first === undefined || others.length === 0) return first ?? null;
  const ranked: { one: PullPayment; rank: number }[] = [];
  for (const one of named) {
    const { completed, isOpen } = await claimsOf(call, credentials, one);
    ranked.push({ one, rank: completed !== null ? 0 : isOpen ? 1 : one.isArchived ? 3 : 2 });
  }
  // The id decides between equals, so that every call keeps the same one, whatever the list's order.
  ranked.sort((left, right) => left.rank - right.rank || (left.one.id < right.one.id ? -1 : 1));
  const [kept] = ranked;
  if (kept === undefined) return null;
  for (const { one, rank } of ranked.slice(1)) if (rank === 2) await archive(call, credentials, one);
  return kept.one;
}

/** Archives further pull payments of a refund that no one has claimed from. */
export async function archiveOthers(call: GatewayCall, credentials: BtcpayCredentials, kept: PullPayment): Promise<void> {
  await optional(async () => {
    const open = await listPullPayments(call, credentials, { archived: false });
    for (const one of open.filter(({ id, name, isArchived }) => name === kept.name && id !== kept.id && !isArchived)) {
      const { completed, isOpen } = await claimsOf(call, credentials, one);
      if (completed === null && !isOpen) await archive(call, credentials, one);
    }
  });
}

/** How much of a payment its pull payments take. Throws kind `declined` if one in coins does, of which that can't be said. */
export async function countGiven(
  call: GatewayCall,
  credentials: BtcpayCredentials,
  { ofPayment, currency }: { ofPayment: readonly PullPayment[]; currency: string },
): Promise<number> {
  const minorOf = (amount: PullPayment["amount"]) => (amount?.currency === currency ? amount.amount_minor : 0);
  // A refund that was created twice is one refund. Those that the merchant created may share a name, and each counts.
  const refunds = Map.groupBy(ofPayment, ({ id, name }) => (name?.startsWith("rf_") === true ? name : id));
  let given = 0;
  for (const named of refunds.values()) {
    const inCoins = named.find(({ amount }) => amount === null);
    if (inCoins !== undefined) {
      if (await paysOut(call, credentials, inCoins)) throw refundedInCoins();
      continue;
    }
    const open = Math.max(0, ...named.filter(({ isArchived }) => !isArchived).map(({ amount }) => minorOf(amount)));
    let paid = 0;
    if (named.length > 1 || open === 0) for (const one of named) paid += minorOf((await claimsOf(call, credentials, one)).completed);
    given += Math.max(open, paid);
  }
  return given;
}

/** Whether it can still be claimed, or something was. */
async function paysOut(call: GatewayCall, credentials: BtcpayCredentials, { id, isArchived }: PullPayment): Promise<boolean> {
  if (!isArchived) return true;
  const path = `/pull-payments/${encodeURIComponent(id)}/payouts?includeCancelled=false`;
  const payouts = await callServer(call, credentials, { method: "GET", path, changes: false });
  if (!Array.isArray(payouts)) throw malformedAnswer(false);
  return payouts.length > 0;
}

const refundedInCoins = () =>
  new GatewayError("declined", {
    code: "refund_in_coins",
    message: "This payment has a refund in coins that was made in BTCPay Server. Archive it there if no one has claimed it.",
  });

/** Archiving cancels open claims, and needs a permission that keys of earlier setups don't have. */
function archive(call: GatewayCall, credentials: BtcpayCredentials, { id }: PullPayment): Promise<void> {
  const path = `/stores/${credentials.storeId}/pull-payments/${encodeURIComponent(id)}`;
  return optional(async () => void (await callServer(call, credentials, { method: "DELETE", path, changes: true })));
}

/** The refund itself is known without it, and the next query tries it again. */
async function optional(work: () => Promise<void>): Promise<void> {
  await work().catch((error: unknown) => {
    if (!(error instanceof GatewayError)) throw error;
  });
}
