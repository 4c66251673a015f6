import type { SimulatedOutcome, SimulatorWorld } from "#gateways/index.ts";
import { findMerchant, type SimulatedMerchant } from "./accounts.ts";
import { callbackOf, writeNotification } from "./notifications.ts";
import { findByNumber, putTransaction, type Transaction, transactionJson } from "./transactions.ts";

/** What can happen at WeChat Pay: a buyer pays the amount that WeChat Pay shows, and only success is notified. */
export const outcomes = ["paid", "declined", "processing", "expired", "late", "silent", "duplicate"] as const satisfies SimulatedOutcome[];

/** The outcomes that a transaction's state allows. */
export function outcomesOf({ state }: Transaction): readonly SimulatedOutcome[] {
  return state === "NOTPAY" || state === "USERPAYING" || state === "PAYERROR" ? outcomes : [];
}

/** Applies an outcome to a payment. Outcomes that its state doesn't allow are ignored: it can't be paid twice, or after its end. */
export async function letHappen(
  world: SimulatorWorld,
  { reference, outcome }: { reference: string; outcome: SimulatedOutcome },
): Promise<void> {
  const transaction = await findByNumber(world, reference);
  if (!outcomes.some((known) => known === outcome)) throw new Error(`WeChat Pay knows no outcome ${outcome}`);
  if (outcomesOf(transaction).length === 0) return;
  const now = world.now().getTime();
  if (outcome === "expired")
    return putTransaction(world, { ...transaction, state: "CLOSED", expiresMs: Math.min(transaction.expiresMs, now) });
  if (outcome === "late") return pay(world, { ...transaction, expiresMs: Math.min(transaction.expiresMs, now - 1_000) }, 1);
  if (transaction.expiresMs <= now) return;
  if (outcome === "declined") return putTransaction(world, { ...transaction, state: "PAYERROR" });
  if (outcome === "processing") return putTransaction(world, { ...transaction, state: "USERPAYING" });
  return pay(world, transaction, { paid: 1, silent: 0, duplicate: 3 }[outcome as "paid" | "silent" | "duplicate"]);
}

async function pay(world: SimulatorWorld, transaction: Transaction, notifications: number): Promise<void> {
  const now = world.now();
  const day = now.toISOString().slice(0, 10).replaceAll("-", "");
  const transactionId = `4200001${day}${[...world.token(13)].map((character) => character.charCodeAt(0) % 10).join("")}`;
  const paid: Transaction = { ...transaction, state: "SUCCESS", transactionId, paidMs: now.getTime() };
  await putTransaction(world, paid);
  const { no, notifyUrl: url, usesPublicKey } = paid;
  const event = { no, url, usesPublicKey, type: "TRANSACTION.SUCCESS", summary: "支付成功", originalType: "transaction" } as const;
  const notification = await writeNotification(world, {
    ...event,
    merchant: await merchantOf(world, paid),
    resource: transactionJson(paid),
  });
  for (let sent = 0; sent < notifications; sent += 1) await world.send(await callbackOf(world, notification));
}

export async function merchantOf(world: SimulatorWorld, { mchid }: { mchid: string }): Promise<SimulatedMerchant> {
  const merchant = await findMerchant(world, mchid);
  if (merchant === null) throw new Error(`there is no merchant ${mchid}`);
  return merchant;
}
