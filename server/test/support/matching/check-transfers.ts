import type { OrderState, Play, True } from "./play.ts";
import type { AmountRequest, Remembered, TakenTransfer } from "./till.ts";

const leadMs = 5 * 60_000;

/** What the till remembers, once it agrees with what was promised. */
export async function recall({ till, holds, report }: Play): Promise<Remembered[]> {
  const remembered = await till.remembered();
  report.faults.push(...holds.compare(remembered));
  return remembered;
}

export async function statesOf({ till, orders }: Play): Promise<Map<string, OrderState>> {
  const states = new Map<string, OrderState>();
  for (const order of orders) states.set(order, { status: await till.status(order), owed: await till.owes(order) });
  return states;
}

/** An order gets no unique amount only if none is free. */
export async function checkMissingAmount(
  play: Play,
  given: { order: string; request: AmountRequest | null; isNew: boolean },
): Promise<void> {
  const { till, rules, holds } = play;
  const { order, request, isNew } = given;
  const now = till.now();
  const isRefused = request === null && (await till.status(order)) === "unpaid" && now < (play.expires.get(order) ?? now);
  if (!isRefused && (request === null || !isNew)) return;
  const remembered = (await till.remembered()).filter((row) => row.reservation !== request?.reservation);
  if (request !== null && remembered.some((row) => row.order === order && row.code === request.code)) return;
  const free = holds.freeAmount(request?.nominal ?? (await till.owes(order)), {
    now,
    rules,
    remembered,
    besides: request?.reservation ?? null,
  });
  if (free !== null) play.report.faults.push(`${order} got no amount of its own although ${free} is free`);
}

/** Compares a transfer's outcome with who really made it. */
export function checkTransfer(
  play: Play,
  given: { one: TakenTransfer; before: Map<string, OrderState>; remembered: Remembered[]; paidNow: Set<string> },
): void {
  const { one, before, remembered, paidNow } = given;
  const transfer = play.transfers.find((other) => other.id === one.id);
  if (transfer === undefined) throw new Error("a transfer that nobody made was taken");
  const { report } = play;
  const isOwn = one.order === transfer.payer;
  const isDue = isOwed(play, { transfer, remembered, before }) && !paidNow.has(transfer.payer ?? "");
  if (isDue) report.owed += 1;
  if (one.outcome === "settled" && one.order !== null) paidNow.add(one.order);
  if (one.outcome === "settled" && isOwn) report.settled += 1;
  else if (one.outcome === "held") report.held += 1;
  else if (one.outcome !== "settled") report.waited += 1;
  const what = `${one.id} of ${transfer.payer} (${transfer.amount}, ${transfer.note})`;
  if (isDue && !(one.outcome === "settled" && isOwn)) report.faults.push(`${what} should have settled and is ${one.outcome}`);
  if (one.order === null || isOwn) return;
  if (isProtected(transfer, play.holds.rows())) report.faults.push(`${what} is ${one.outcome} for ${one.order}`);
  else if (one.outcome === "settled") report.misplaced += 1;
}

/** Whether it was made while the request that its payer answered, or the payer's own round amount, was held for the payer. */
function isProtected(transfer: True, remembered: readonly Remembered[]): boolean {
  if (transfer.payer === null || transfer.careless === "other") return false;
  return remembered.some(
    (one) =>
      one.order === transfer.payer && inWindow(one, transfer.at) && (one.amount === transfer.amount || one.nominal === transfer.amount),
  );
}

function inWindow(one: Remembered, at: Date): boolean {
  return at.getTime() >= one.from.getTime() - leadMs && at < one.heldUntil;
}

/**
 * By the contract, this transfer settles its order automatically: its payer paid as requested, in time, and no other order had the same
 * request.
 */
function isOwed(play: Play, given: { transfer: True; remembered: Remembered[]; before: Map<string, OrderState> }): boolean {
  const { transfer, remembered, before } = given;
  const { payer, answers, at } = transfer;
  if (payer === null || answers === null || answers.mode === "exact") return false;
  const { status, owed } = before.get(payer) ?? {};
  const expires = play.expires.get(payer);
  if (status === undefined || status === "paid" || status === "canceled" || expires === undefined || at > expires) return false;
  const own = play.holds.rows().find((one) => one.reservation === answers.reservation);
  if (own === undefined || own.nominal !== owed || !inWindow(own, at) || at < own.from) return false;
  const others = remembered.filter((one) => one.order !== payer && inWindow(one, at));
  const digits = (transfer.note ?? "").normalize("NFKC").match(/\d+(?: \d+)*/g) ?? [];
  const readings = digits.flatMap((run) => [...run.split(" "), run.replaceAll(" ", "")]);
  if (others.some((one) => one.code !== null && readings.includes(one.code))) return false;
  if (answers.mode === "remark") return !others.some((one) => one.mode === "unique_amount" && one.amount === transfer.amount);
  return !others.some((one) => one.amount === transfer.amount || one.nominal === transfer.amount);
}

/** Every order whose payer did everything right is paid in the end. */
export async function checkUnpaid(play: Play): Promise<void> {
  const remembered = await recall(play);
  const before = await statesOf(play);
  for (const transfer of play.transfers) {
    if (!isOwed(play, { transfer, remembered, before }) || transfer.payer === null) continue;
    play.report.faults.push(
      `${transfer.payer} is ${before.get(transfer.payer)?.status} though ${transfer.id} (${transfer.amount}) answered what was asked`,
    );
  }
}
