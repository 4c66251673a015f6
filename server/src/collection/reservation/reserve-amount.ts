import { randomInt } from "node:crypto";
import type { Ctx, Tenant, Tx } from "#platform/index.ts";
import type { Account } from "../account/sql.ts";
import type { MatchingMode } from "../profile/sql.ts";
import { amountRange, chooseAmounts } from "./choose-amount.ts";
import { makeCode } from "./read-codes.ts";
import {
  findHeldCode,
  findHold,
  insertReservation,
  listNearAmounts,
  type ReservationRow,
  updateEndedHolds,
  updateHandedOver,
} from "./sql.ts";

export interface ReservationWanted {
  account: Account;
  order_id: string;
  /** The nominal amount, before any reduction. */
  nominal_minor: number;
  /** A fixed amount, for a report of money that was sent before. */
  asked_minor?: number;
  /** When the money was sent, if a person reports it afterwards. */
  since?: Date;
  matching: { mode: MatchingMode; max_offset_minor: number; strict: boolean };
  min_minor: number | null;
  /** When the payment session expires. */
  until: Date;
}

const holdMs = 24 * 3_600_000;
const codeTries = 40;

/**
 * Returns what to request for an order on an account. While the order holds an amount or a code there, that is requested again; after a
 * part payment, its code is used for the rest. Otherwise it gets a free amount, or a code if none is free. Unique indexes keep two orders
 * from having the same one. null if none is free and the profile is strict.
 */
export async function reserveAmount(
  tx: Tx,
  pinned: Ctx,
  given: { tenant: Tenant; wanted: ReservationWanted },
): Promise<ReservationRow | null> {
  const { tenant, wanted } = given;
  const { mode, strict } = wanted.matching;
  const now = pinned.now();
  const held = await findHold(tx, tenant, { order_id: wanted.order_id, account: wanted.account, nominal_minor: wanted.nominal_minor });
  if (held !== null && (held.mode !== "exact" || mode === "exact")) return held;
  const row = newRow(pinned, tenant, wanted);
  const again = await keepCode(tx, { row, tenant });
  if (again !== null) return again;
  if (mode === "exact") return (await insertReservation(tx, row)) ? row : null;
  if (mode === "unique_amount") {
    const reserved = await takeAmount(tx, { row, wanted, now });
    if (reserved !== null || strict) return reserved;
  }
  return takeCode(tx, { row: { ...row, is_fallback: mode === "unique_amount" } });
}

/** A code belongs to its order while it is held, even if the amount changes: a new row takes over the hold. */
async function keepCode(tx: Tx, given: { row: ReservationRow; tenant: Tenant }): Promise<ReservationRow | null> {
  const { row, tenant } = given;
  const held = await findHeldCode(tx, tenant, { order_id: row.order_id, account: row });
  if (held === null) return null;
  await updateHandedOver(tx, held);
  const reserved: ReservationRow = {
    ...row,
    mode: "remark",
    amount_minor: row.nominal_minor,
    code: held.code,
    is_fallback: held.is_fallback,
  };
  if (!(await insertReservation(tx, reserved))) throw new Error("a code was taken while its order held it");
  return reserved;
}

function newRow(pinned: Ctx, tenant: Tenant, wanted: ReservationWanted): ReservationRow {
  const now = pinned.now();
  const { account, order_id, nominal_minor, until } = wanted;
  const asked_minor = wanted.asked_minor ?? nominal_minor;
  return {
    project_id: tenant.project_id,
    livemode: tenant.livemode,
    merchant_id: account.merchant_id,
    channel: account.channel,
    account_ref: account.account_ref,
    id: pinned.id("ask"),
    order_id,
    mode: "exact",
    amount_minor: asked_minor,
    nominal_minor,
    code: null,
    is_fallback: false,
    asked_from: wanted.since !== undefined && wanted.since < now ? wanted.since : now,
    asked_until: until,
    held_until: new Date(until.getTime() + holdMs),
    holding: true,
    created_at: now,
    updated_at: now,
  };
}

async function takeAmount(tx: Tx, given: { row: ReservationRow; wanted: ReservationWanted; now: Date }): Promise<ReservationRow | null> {
  const { row, wanted, now } = given;
  const choice = { nominal_minor: wanted.nominal_minor, max_offset_minor: wanted.matching.max_offset_minor, min_minor: wanted.min_minor };
  const range = amountRange(choice);
  if (range === null) return null;
  const near = await listNearAmounts(tx, row, range);
  for (const amount of chooseAmounts(choice, near, now)) {
    const reserved: ReservationRow = { ...row, mode: "unique_amount", amount_minor: amount };
    await updateEndedHolds(tx, row, { amount, code: null });
    if (await insertReservation(tx, reserved)) return reserved;
  }
  return null;
}

async function takeCode(tx: Tx, given: { row: ReservationRow }): Promise<ReservationRow | null> {
  const { row } = given;
  for (let tries = 0; tries < codeTries; tries += 1) {
    const code = makeCode(tries < codeTries / 2 ? 5 : 6, (below) => randomInt(below));
    await updateEndedHolds(tx, row, { amount: null, code });
    const reserved: ReservationRow = { ...row, mode: "remark", code };
    if (await insertReservation(tx, reserved)) return reserved;
  }
  return null;
}
