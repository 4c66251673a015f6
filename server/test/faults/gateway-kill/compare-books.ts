import type { PaymentSnapshot } from "#gateways/index.ts";
import { auditLedger } from "#ledger/index.ts";
import { auditBooks } from "#orders/index.ts";
import type { TestApp } from "#test/support/app/test-app.ts";
import type { Buyers } from "./buyers.ts";
import type { FaultyProvider } from "./faulty-provider.ts";
import type { BookedPayment, BookedRefund } from "./kill.sql.ts";
import type { ProviderRefund } from "./provider-refunds.ts";

interface Known extends BookedPayment {
  provider: FaultyProvider;
  truth: PaymentSnapshot | null;
  /**
   * Whether its provider refunded it because we canceled it while its buyer paid: Alipay does, under the payment's own reference. The books
   * never had the money, or a person decides about the refund.
   */
  isUndone: boolean;
}

interface Books {
  providers: readonly FaultyProvider[];
  payments: readonly BookedPayment[];
  refunds: readonly BookedRefund[];
  buyers: Buyers;
}

/** Compares the books with the providers' own records. */
export async function compareBooks(
  app: TestApp,
  { providers, payments, refunds, buyers }: Books,
): Promise<{ taken: number; paidBack: number; faults: string[] }> {
  const faults: string[] = [...(await auditBooks(app.ctx)).map(String), ...(await auditLedger(app.ctx)).faults.map(String)];
  const theirs = (await Promise.all(providers.map((provider) => provider.refunds()))).flat();
  const refunded = new Set(theirs.map(({ reference }) => reference));
  const known: Known[] = [];
  for (const payment of payments) {
    const { gateway, session_id, provider_id } = payment;
    const provider = providers.find(({ simulator }) => simulator.slug === gateway) as FaultyProvider;
    const truth = await provider.truthOf({ reference: session_id, providerId: provider_id });
    known.push({ ...payment, provider, truth, isUndone: refunded.has(session_id) });
  }
  const undone = new Set(known.filter(({ isUndone }) => isUndone).map(({ session_id }) => session_id));
  for (const one of known) faults.push(...faultsOfPayment(one, buyers));
  for (const [order_id, ones] of Map.groupBy(known, (one) => one.order_id)) faults.push(...faultsOfOrder(order_id, ones));
  faults.push(...faultsOfRefunds(refunds, theirs, undone));
  return { taken: known.filter(isTaken).length, paidBack: theirs.filter(({ state }) => state === "paid_out").length, faults };
}

/**
 * Each refund of the books is at its provider once, with its amount and in its state; a failed one isn't there; and the providers have no
 * others. What each order counts as refunded, and the ledger, is what was paid out. `undone`: payments that their provider refunded by
 * itself, under their own reference. If the books had their money in suspense, they have that refund too.
 */
function faultsOfRefunds(ours: readonly BookedRefund[], theirs: readonly ProviderRefund[], undone: ReadonlySet<string>): string[] {
  const faults: string[] = [];
  const active = Map.groupBy(
    theirs.filter(({ state }) => state !== "failed"),
    ({ reference }) => reference ?? "without our reference",
  );
  const known = new Set(ours.map(({ id }) => id));
  const undoneOf = ({ session_id, status }: BookedRefund) =>
    (session_id !== null && undone.has(session_id) && status === "succeeded" ? active.get(session_id) : null) ?? [];
  for (const reference of active.keys())
    if (!known.has(reference) && !undone.has(reference)) faults.push(`a provider has the refund ${reference}, and the books don't`);
  for (const one of ours) {
    const [there, ...more] = active.get(one.id) ?? undoneOf(one);
    const name = `${one.gateway} ${one.id} (${one.status}, at the provider ${there?.state ?? "nothing"})`;
    if (more.length > 0) faults.push(`${name} was made ${more.length + 1} times`);
    if (there !== undefined && there.amount_minor !== one.amount_minor)
      faults.push(`${name} is ${one.amount_minor}, there ${there.amount_minor}`);
    const wanted = one.status === "succeeded" ? "paid_out" : one.status === "failed" ? undefined : "waiting";
    if (there?.state !== wanted) faults.push(`${name} isn't as at the provider`);
    if (one.succeeded_events !== (one.status === "succeeded" ? 1 : 0)) faults.push(`${name} was told ${one.succeeded_events} times`);
  }
  for (const [order_id, ones] of Map.groupBy(ours, (one) => one.order_id)) {
    const paidOut = ones
      .flatMap(({ id }) => active.get(id) ?? [])
      .reduce((sum, { state, amount_minor }) => sum + (state === "paid_out" ? amount_minor : 0), 0);
    const [{ amount_refunded_minor, booked_minor, received_minor }] = ones as [BookedRefund, ...BookedRefund[]];
    if (amount_refunded_minor !== paidOut || booked_minor !== paidOut)
      faults.push(`${order_id}: ${paidOut} was paid out, ${amount_refunded_minor} counted, ${booked_minor} booked`);
    if (paidOut > received_minor) faults.push(`${order_id}: ${paidOut} was paid out of ${received_minor}`);
  }
  return faults;
}

function isTaken({ truth }: Known): boolean {
  return truth?.state === "succeeded";
}

/**
 * Money that the provider took is in the books once, with its amount; what it didn't take isn't in them; and what is over here can't be
 * paid there.
 */
function faultsOfPayment(one: Known, buyers: Buyers): string[] {
  const { session_id, session_status, gateway, provider, truth, received, received_minor } = one;
  const name = `${gateway} ${session_id} (${session_status}, at the provider ${truth?.state ?? "unknown"})`;
  const faults: string[] = [];
  const isBooked = received === 1 && received_minor === truth?.paid?.amount_minor;
  if (isTaken(one) && !isBooked && !(one.isUndone && received === 0))
    faults.push(`${name} is booked ${received} times with ${received_minor}`);
  if (!isTaken(one) && received > 0) faults.push(`${name} is booked and was never taken`);
  if (buyers.paid.has(session_id) && provider.closes && !isTaken(one)) faults.push(`${name} was paid`);
  const isOver = ["succeeded", "failed", "expired", "canceled"].includes(session_status);
  // Alipay calls a payment open that no buyer opened, also once its code was canceled.
  const isOpen = truth?.state === "pending" && truth.providerState !== "TRADE_NOT_EXIST";
  if (isOver && provider.closes && isOpen) faults.push(`${name} can still be paid`);
  return faults;
}

/** An order is paid once, whatever was taken for it; the rest waits for a person, and so does money that was booked and then undone. */
function faultsOfOrder(order_id: string, ones: readonly Known[]): string[] {
  const [first] = ones as [Known];
  const taken = ones.filter(isTaken).length;
  const undone = ones.filter((one) => isTaken(one) && one.isUndone).length;
  const { order_status, amount_minor, amount_received_minor, booked_minor, paid_events, exceptions } = first;
  const isPaid = order_status === "paid";
  const faults: string[] = [];
  if (taken > undone && !isPaid && order_status !== "canceled")
    faults.push(`${order_id} is ${order_status} and ${taken} payments were taken`);
  if (taken === 0 && isPaid) faults.push(`${order_id} is paid and nothing was taken`);
  if (taken === undone && isPaid && !exceptions.includes("mismatch"))
    faults.push(`${order_id} is paid, and no one knows that it was undone`);
  const wanted = isPaid ? amount_minor : 0;
  if (amount_received_minor !== wanted || booked_minor !== wanted)
    faults.push(`${order_id} is ${order_status} with ${amount_received_minor}, booked ${booked_minor}`);
  if (paid_events !== (isPaid ? 1 : 0)) faults.push(`${order_id} is ${order_status} and was told as paid ${paid_events} times`);
  const cases = Math.max(0, isPaid ? taken - 1 : taken);
  if (exceptions.length < cases - undone || exceptions.length > cases + undone)
    faults.push(`${order_id} is ${order_status}, ${taken} payments were taken, cases: ${exceptions.join(", ") || "none"}`);
  return faults;
}
