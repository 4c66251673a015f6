import type { AskedNow, Remembered, TakenTransfer, Till, Transfer } from "./till.ts";

/** What the model counted. `faults` must stay empty. */
export interface Report {
  histories: number;
  orders: number;
  transfers: number;
  /** Transfers that settled their own payer's order by themselves. */
  settled: number;
  /** Those that had to, by the contract. */
  owed: number;
  waited: number;
  held: number;
  /** Transfers that paid a stranger's order, made after their amount or code was given out anew, or of an amount that was another's. */
  misplaced: number;
  faults: string[];
}

export const emptyReport = (): Report => ({ histories: 0, orders: 0, transfers: 0, settled: 0, owed: 0, waited: 0, held: 0, misplaced: 0, faults: [] });

/** A transfer with what only the model knows. */
interface True extends Transfer {
  /** The order that its payer meant; null for private income. */
  payer: string | null;
  /** What the payer answered; null where they typed something else. */
  answers: AskedNow | null;
  careless: "round" | "other" | "no_code" | null;
  told: Set<string>;
}

const leadMs = 5 * 60_000;
const prices = [6100, 6099, 6100, 5123, 990, 6098, 101, 2];

/** How an order stands, and what is still to be paid. */
interface Standing {
  status: string;
  owed: number;
}

interface Play {
  till: Till;
  random(): number;
  report: Report;
  orders: string[];
  asked: Map<string, AskedNow>;
  expires: Map<string, Date>;
  transfers: True[];
  name: string;
}

/** One history of a wallet that two projects share: buyers who pay, forget, renew, switch and cancel, and receipts that come late or in part. */
export async function playHistory(till: Till, given: { random(): number; report: Report; name: string; steps: number }): Promise<void> {
  const play: Play = { till, ...given, orders: [], asked: new Map(), expires: new Map(), transfers: [] };
  for (let step = 0; step < given.steps; step += 1) {
    await act(play);
    if (play.random() < 0.6) await till.pass(Math.floor(play.random() ** 3 * 300));
  }
  await tell(play, { source: "statement", part: 1 });
  await judgeUnpaid(play);
  play.report.histories += 1;
  play.report.orders += play.orders.length;
  play.report.transfers += play.transfers.length;
}

async function act(play: Play): Promise<void> {
  const dice = play.random();
  if (dice < 0.3) await begin(play);
  else if (dice < 0.4) await renew(play);
  else if (dice < 0.45) await withOrder(play, (order) => play.till.leave(order));
  else if (dice < 0.48) await withOrder(play, (order) => play.till.cancel(order));
  else if (dice < 0.51) await withOrder(play, (order) => payPart(play, order));
  else if (dice < 0.8) await pay(play);
  else if (dice < 0.84) spendPrivately(play);
  else await tell(play, { source: dice < 0.92 ? "statement" : "listener", part: play.random() < 0.5 ? 1 : 0.5 });
}

async function begin(play: Play): Promise<void> {
  const { till, random } = play;
  const nominal = prices[Math.floor(random() * prices.length)] ?? 100;
  const minutes = [30, 120, 1440][Math.floor(random() * 3)] ?? 30;
  const order = await till.newOrder(random() < 0.5 ? 0 : 1, nominal, minutes);
  play.orders.push(order);
  play.expires.set(order, new Date(till.now().getTime() + minutes * 60_000));
  const asked = await till.ask(order);
  if (asked !== null) play.asked.set(order, asked);
}

async function renew(play: Play): Promise<void> {
  await withOrder(play, async (order) => {
    const asked = await play.till.ask(order);
    if (asked !== null) play.asked.set(order, asked);
  });
}

/** Money from another wallet, which a person gives to the order; the page then asks for the rest, or the buyer sends what was asked before. */
async function payPart(play: Play, order: string): Promise<void> {
  const owed = await play.till.owes(order);
  if (owed < 2) return;
  await play.till.part(order, 1 + Math.floor(play.random() * (owed - 1)));
  const asked = play.random() < 0.7 ? await play.till.ask(order) : null;
  if (asked !== null) play.asked.set(order, asked);
}

async function withOrder(play: Play, act: (order: string) => Promise<void>): Promise<void> {
  const recent = play.orders.slice(-6);
  const order = recent[Math.floor(play.random() * recent.length)];
  if (order !== undefined) await act(order);
}

/** Nine in ten pay what they were asked; the tenth types the round amount, another's amount, or no code, comes late or pays twice. */
async function pay(play: Play): Promise<void> {
  await withOrder(play, async (order) => {
    const asked = play.asked.get(order);
    if (asked === undefined) return;
    if (play.random() < 0.9) return send(play, { order, asked, careless: null });
    const kind = play.random();
    if (kind < 0.3) return send(play, { order, asked, careless: "round" });
    if (kind < 0.5) return send(play, { order, asked, careless: "other" });
    if (kind < 0.7) return send(play, { order, asked, careless: "no_code" });
    send(play, { order, asked, careless: null });
    send(play, { order, asked, careless: null });
  });
  if (play.random() < 0.2) {
    const exact = play.transfers.findLast((transfer) => transfer.answers?.mode === "exact");
    if (exact?.payer != null) await play.till.approve(exact.payer);
  }
}

function send(play: Play, given: { order: string; asked: AskedNow; careless: True["careless"] }): void {
  const { order, asked, careless } = given;
  const stranger = [...play.asked.values()][Math.floor(play.random() * play.asked.size)];
  const amount = careless === "round" ? asked.nominal : careless === "other" ? (stranger?.amount ?? asked.amount) : asked.amount;
  const note = careless === "no_code" || asked.code === null ? (play.random() < 0.1 ? "谢谢老板 2026" : null) : written(play, asked.code);
  const answers =
    (careless === "round" || careless === "other") && amount !== asked.amount ? null : careless === "no_code" && asked.code !== null ? null : asked;
  play.transfers.push({ id: `${play.name}T${play.transfers.length}`, at: play.till.now(), amount, note, payer: order, answers, careless, told: new Set() });
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
    told: new Set(),
  });
}

async function tell(play: Play, given: { source: "statement" | "listener"; part: number }): Promise<void> {
  const open = play.transfers.filter((transfer) => !transfer.told.has(given.source) && play.random() < given.part);
  const due = given.source === "listener" ? open.filter((transfer) => play.till.now().getTime() - transfer.at.getTime() < 600_000) : open;
  if (due.length === 0) return;
  const before = await standingOf(play);
  const remembered = await play.till.remembered();
  const taken = await play.till.take(play.random() < 0.5 ? 0 : 1, given.source, due);
  for (const transfer of due) transfer.told.add(given.source);
  const paidNow = new Set<string>();
  for (const one of [...taken].sort((left, right) => timeOf(play, left.id) - timeOf(play, right.id))) judge(play, { one, before, remembered, paidNow });
}

async function standingOf({ till, orders }: Play): Promise<Map<string, Standing>> {
  const standing = new Map<string, Standing>();
  for (const order of orders) standing.set(order, { status: await till.status(order), owed: await till.owes(order) });
  return standing;
}

function timeOf(play: Play, id: string): number {
  return play.transfers.find((transfer) => transfer.id === id)?.at.getTime() ?? 0;
}

/** Holds what a transfer came to against who truly made it. */
function judge(play: Play, given: { one: TakenTransfer; before: Map<string, Standing>; remembered: Remembered[]; paidNow: Set<string> }): void {
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
  if (isProtected(transfer, remembered)) report.faults.push(`${what} is ${one.outcome} for ${one.order}`);
  else if (one.outcome === "settled") report.misplaced += 1;
}

/** Made while what its payer answered, or the payer's own round amount, was held for the payer. */
function isProtected(transfer: True, remembered: readonly Remembered[]): boolean {
  if (transfer.payer === null || transfer.careless === "other") return false;
  return remembered.some(
    (one) => one.order === transfer.payer && inWindow(one, transfer.at) && (one.amount === transfer.amount || one.nominal === transfer.amount),
  );
}

function inWindow(one: Remembered, at: Date): boolean {
  return at.getTime() >= one.from.getTime() - leadMs && at < one.heldUntil;
}

/** By the contract this transfer settles its order without a person: its payer did what was asked, in time, and nobody else was asked the same. */
function isOwed(play: Play, given: { transfer: True; remembered: Remembered[]; before: Map<string, Standing> }): boolean {
  const { transfer, remembered, before } = given;
  const { payer, answers, at } = transfer;
  if (payer === null || answers === null || answers.mode === "exact") return false;
  const { status, owed } = before.get(payer) ?? {};
  const expires = play.expires.get(payer);
  if ((status !== "unpaid" && status !== "expired") || expires === undefined || at > expires) return false;
  const own = remembered.find((one) => one.asking === answers.asking);
  if (own === undefined || own.nominal !== owed || !inWindow(own, at) || at < own.from) return false;
  const others = remembered.filter((one) => one.order !== payer && inWindow(one, at));
  const digits = (transfer.note ?? "").normalize("NFKC").match(/\d+(?: \d+)*/g) ?? [];
  const readings = digits.flatMap((run) => [...run.split(" "), run.replaceAll(" ", "")]);
  if (others.some((one) => one.code !== null && readings.includes(one.code))) return false;
  if (answers.mode === "remark") return !others.some((one) => one.mode === "unique_amount" && one.amount === transfer.amount);
  return !others.some((one) => one.amount === transfer.amount || one.nominal === transfer.amount);
}

/** Every order whose payer did everything right is paid in the end. */
async function judgeUnpaid(play: Play): Promise<void> {
  const remembered = await play.till.remembered();
  const before = await standingOf(play);
  for (const transfer of play.transfers) {
    if (!isOwed(play, { transfer, remembered, before }) || transfer.payer === null) continue;
    play.report.faults.push(`${transfer.payer} is ${before.get(transfer.payer)?.status} though ${transfer.id} (${transfer.amount}) answered what was asked`);
  }
}
