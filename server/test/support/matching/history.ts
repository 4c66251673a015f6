import { checkMissingAmount, checkTransfer, checkUnpaid, recall, statesOf } from "./check-transfers.ts";
import { HoldBook, type Rules } from "./hold-book.ts";
import type { Play, Report, True } from "./play.ts";
import type { AmountRequest, Till } from "./till.ts";

const prices = [6100, 6099, 6100, 5123, 990, 6098, 101, 2];

/**
 * One history of a wallet that two projects share: buyers who pay, forget, renew, switch and cancel, and receipts that arrive late or in
 * part.
 */
export async function playHistory(
  till: Till,
  given: { random(): number; report: Report; name: string; steps: number; rules: Rules },
): Promise<void> {
  const play: Play = { till, ...given, orders: [], requests: new Map(), expires: new Map(), transfers: [], holds: new HoldBook() };
  for (let step = 0; step < given.steps; step += 1) {
    await playStep(play);
    if (play.random() < 0.6) await till.pass(Math.floor(play.random() ** 3 * 300));
  }
  await reportTransfers(play, { source: "statement", part: 1 });
  await checkUnpaid(play);
  play.report.histories += 1;
  play.report.orders += play.orders.length;
  play.report.transfers += play.transfers.length;
}

async function playStep(play: Play): Promise<void> {
  const dice = play.random();
  if (dice < 0.29) await begin(play);
  else if (dice < 0.38) await withOrder(play, (order) => ask(play, order));
  else if (dice < 0.43) await withOrder(play, (order) => leave(play, order));
  else if (dice < 0.45) await withOrder(play, (order) => cancel(play, order));
  else if (dice < 0.48) await withOrder(play, (order) => report(play, order));
  else if (dice < 0.51) await withOrder(play, (order) => payPart(play, order));
  else if (dice < 0.8) await pay(play);
  else if (dice < 0.84) spendPrivately(play);
  else if (dice < 0.85) await play.till.pass(Math.floor(play.random() * 8 * 1440));
  else await reportTransfers(play, { source: dice < 0.92 ? "statement" : "listener", part: play.random() < 0.5 ? 1 : 0.5 });
}

async function begin(play: Play): Promise<void> {
  const { till, random } = play;
  const nominal = prices[Math.floor(random() * prices.length)] ?? 100;
  const minutes = [30, 120, 1440, 14_400][Math.floor(random() * 4)] ?? 30;
  const order = await till.newOrder(random() < 0.5 ? 0 : 1, nominal, minutes);
  play.orders.push(order);
  play.expires.set(order, new Date(till.now().getTime() + minutes * 60_000));
  await ask(play, order);
}

async function ask(play: Play, order: string): Promise<void> {
  const { till, rules, holds, report } = play;
  const known = play.requests.get(order)?.reservation;
  const request = await till.ask(order);
  const now = till.now();
  const expires = play.expires.get(order) ?? now;
  if (request !== null) {
    play.requests.set(order, request);
    report.faults.push(...holds.record(order, request, { now, expires, rules }));
  }
  if (rules.mode === "unique_amount" && request?.mode !== "unique_amount")
    await checkMissingAmount(play, { order, request, isNew: known !== request?.reservation });
}

async function leave(play: Play, order: string): Promise<void> {
  await play.till.leave(order);
  play.holds.ended(order, play.till.now());
}

async function cancel(play: Play, order: string): Promise<void> {
  await play.till.cancel(order);
  if ((await play.till.status(order)) === "canceled") play.holds.ended(order, play.till.now());
}

/** A buyer reports a payment, or withdraws the report. */
async function report(play: Play, order: string): Promise<void> {
  const { till, holds } = play;
  const now = till.now();
  const before = await till.status(order);
  if (before === "unpaid" && holds.isOpen(order, now)) await till.report(order);
  else if (before === "pending_verify") await till.withdraw(order);
  const after = await till.status(order);
  if (before === "unpaid" && after === "pending_verify") holds.reported(order, now);
  if (before === "pending_verify" && after === "unpaid") holds.withdrawn(order, now);
}

/**
 * Money from another wallet, which a person assigns to the order; the page then requests the rest, or the buyer sends what was requested
 * before.
 */
async function payPart(play: Play, order: string): Promise<void> {
  const { till } = play;
  const owed = await till.owes(order);
  if (owed < 2) return;
  await till.part(order, 1 + Math.floor(play.random() * (owed - 1)));
  if ((await till.owes(order)) < owed) play.holds.ended(order, till.now());
  if (play.random() < 0.7) await ask(play, order);
}

async function withOrder(play: Play, work: (order: string) => Promise<void>): Promise<void> {
  const recent = play.orders.slice(-6);
  const order = recent[Math.floor(play.random() * recent.length)];
  if (order !== undefined) await work(order);
}

/** Nine in ten pay what was requested; the tenth types the round amount, another's amount, or no code, is late or pays twice. */
async function pay(play: Play): Promise<void> {
  await withOrder(play, async (order) => {
    const request = play.requests.get(order);
    if (request === undefined) return;
    if (play.random() < 0.9) return send(play, { order, request, careless: null });
    const kind = play.random();
    if (kind < 0.3) return send(play, { order, request, careless: "round" });
    if (kind < 0.5) return send(play, { order, request, careless: "other" });
    if (kind < 0.7) return send(play, { order, request, careless: "no_code" });
    send(play, { order, request, careless: null });
    send(play, { order, request, careless: null });
  });
  if (play.random() < 0.2) {
    const exact = play.transfers.findLast((transfer) => transfer.answers?.mode === "exact");
    if (exact?.payer != null) {
      await play.till.approve(exact.payer);
      await notePaid(play, [exact.payer]);
    }
  }
}

async function notePaid(play: Play, orders: Iterable<string>): Promise<void> {
  for (const order of orders) if ((await play.till.status(order)) === "paid") play.holds.paid(order, play.till.now());
}

function send(play: Play, given: { order: string; request: AmountRequest; careless: True["careless"] }): void {
  const { order, request, careless } = given;
  const stranger = [...play.requests.values()][Math.floor(play.random() * play.requests.size)];
  const amount = careless === "round" ? request.nominal : careless === "other" ? (stranger?.amount ?? request.amount) : request.amount;
  const note =
    careless === "no_code" || request.code === null ? (play.random() < 0.1 ? "谢谢老板 2026" : null) : written(play, request.code);
  const answers =
    (careless === "round" || careless === "other") && amount !== request.amount
      ? null
      : careless === "no_code" && request.code !== null
        ? null
        : request;
  play.transfers.push({
    id: `${play.name}T${play.transfers.length}`,
    at: play.till.now(),
    amount,
    note,
    payer: order,
    answers,
    careless,
    seenIn: new Set(),
  });
}

/** A code as people and keyboards write it. */
function written(play: Play, code: string): string {
  const dice = play.random();
  if (dice < 0.2) return `${code.slice(0, 3)} ${code.slice(3)}`;
  if (dice < 0.4) return `备注${code.replace(/\d/g, (digit) => String.fromCharCode(0xff10 + Number(digit)))}`;
  return `转账备注:${code}`;
}

function spendPrivately(play: Play): void {
  const amount = [52_000, 888, 6100, 5123, 6066][Math.floor(play.random() * 5)] ?? 1;
  const note = play.random() < 0.3 ? "生日快乐 138 0013 8000" : null;
  play.transfers.push({
    id: `${play.name}T${play.transfers.length}`,
    at: play.till.now(),
    amount,
    note,
    payer: null,
    answers: null,
    careless: null,
    seenIn: new Set(),
  });
}

async function reportTransfers(play: Play, given: { source: "statement" | "listener"; part: number }): Promise<void> {
  const open = play.transfers.filter((transfer) => !transfer.seenIn.has(given.source) && play.random() < given.part);
  const due = given.source === "listener" ? open.filter((transfer) => play.till.now().getTime() - transfer.at.getTime() < 600_000) : open;
  if (due.length === 0) return;
  const before = await statesOf(play);
  const remembered = await recall(play);
  const taken = await play.till.take(play.random() < 0.5 ? 0 : 1, given.source, due);
  for (const transfer of due) transfer.seenIn.add(given.source);
  const paidNow = new Set<string>();
  for (const one of [...taken].sort((left, right) => timeOf(play, left.id) - timeOf(play, right.id)))
    checkTransfer(play, { one, before, remembered, paidNow });
  await notePaid(play, paidNow);
}

function timeOf(play: Play, id: string): number {
  return play.transfers.find((transfer) => transfer.id === id)?.at.getTime() ?? 0;
}
