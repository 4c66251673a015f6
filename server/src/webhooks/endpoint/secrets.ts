import { randomBytes } from "node:crypto";
import { isoOf, type MasterKeys, open, type SealPlace, type Tenant } from "#platform/index.ts";
import { webhookErrors } from "../errors.ts";
import type { EndpointRow } from "./sql.ts";

const dayMs = 86_400_000;

/** An endpoint's secrets in effect at a given time. */
export interface LiveSecrets {
  /** Keys `X-Service-Signature`. */
  current: string;
  /** All secrets that sign `webhook-signature`, newest first; at most three. */
  all: string[];
}

/** A new secret: `whsec_` and 32 random bytes in base64. */
export function makeSecret(): string {
  return `whsec_${randomBytes(32).toString("base64")}`;
}

/** Where an endpoint's secrets are stored. */
export function endpointPlace(id: string): SealPlace {
  return { table: "webhook_endpoints", column: "secret", row: id };
}

/** Where the secrets that sign a project's callbacks are stored. */
export function callbackPlace({ project_id, livemode }: Tenant): SealPlace {
  return { table: "callback_secrets", column: "secret", row: `${project_id} ${livemode}` };
}

/** A secret with the state of its roll. */
export type Sealed = Pick<
  EndpointRow,
  "secret" | "secret_last4" | "next_secret" | "next_secret_last4" | "rolled_at" | "previous_secret" | "previous_until"
>;

/**
 * A row with its next secret promoted if due: a day after a roll, the next secret becomes the current one, and the previous one keeps
 * signing along with it for another day.
 */
export function settleRoll<Row extends Sealed>(row: Row, now: Date): Row {
  const at = flipsAt(row);
  if (row.next_secret !== null && at !== null && at <= now) return dropExpired({ ...row, ...promoted(row, at) }, now);
  return dropExpired(row, now);
}

/** The columns of a row whose next secret becomes the current one at a given time. */
function promoted(row: Pick<Sealed, "secret" | "next_secret" | "next_secret_last4">, at: Date) {
  return {
    secret: row.next_secret as string,
    secret_last4: row.next_secret_last4 as string,
    next_secret: null,
    next_secret_last4: null,
    rolled_at: null,
    previous_secret: row.secret,
    previous_until: new Date(at.getTime() + dayMs),
  };
}

/** Decrypts the secrets that sign at this moment. */
export function openSecrets(keys: MasterKeys, given: { place: SealPlace; row: Sealed; now: Date }): LiveSecrets {
  const settled = settleRoll(given.row, given.now);
  const opened = (sealed: string) => open(keys, given.place, sealed).toString("utf8");
  const current = opened(settled.secret);
  const all = [settled.next_secret, settled.secret, settled.previous_secret].flatMap((sealed) =>
    sealed === null ? [] : [sealed === settled.secret ? current : opened(sealed)],
  );
  return { current, all };
}

/**
 * Starts a roll. With `expireOldNow` the next secret takes over immediately and the previous one stops signing. Throws secret_roll_conflict
 * during a roll.
 */
export function beginRoll<Row extends Sealed>(
  row: Row,
  next: { sealed: string; last4: string },
  given: { now: Date; expireOldNow: boolean },
): Row {
  const settled = settleRoll(row, given.now);
  if (settled.next_secret !== null) {
    throw webhookErrors.secret_roll_conflict({
      message: `A roll is already open: promote the secret that ends in ${settled.next_secret_last4}, or wait until it takes over at ${isoOf(flipsAt(settled) as Date)}.`,
    });
  }
  const rolled = { ...settled, next_secret: next.sealed, next_secret_last4: next.last4, rolled_at: given.now };
  return given.expireOldNow ? withoutFormer({ ...rolled, ...promoted(rolled, given.now) }) : rolled;
}

/**
 * Promotes the next secret. With `expireOldNow` the previous one stops signing, even if the roll was promoted before. Throws
 * secret_roll_conflict if there is nothing to do, or if it would end the secret of an earlier roll before its day is over.
 */
export function endRoll<Row extends Sealed>(row: Row, given: { now: Date; expireOldNow: boolean }): Row {
  const settled = settleRoll(row, given.now);
  if (settled.next_secret === null && !(given.expireOldNow && settled.previous_secret !== null)) {
    throw webhookErrors.secret_roll_conflict({ message: "No roll is open, so there's no secret to promote. Roll the secret first." });
  }
  if (settled.next_secret !== null && settled.previous_until !== null && !given.expireOldNow) {
    throw webhookErrors.secret_roll_conflict({
      message: `The secret before the current one still signs until ${isoOf(settled.previous_until)}. Promote after that, or with expire_old_now, which ends both.`,
    });
  }
  const current = settled.next_secret === null ? settled : { ...settled, ...promoted(settled, given.now) };
  return given.expireOldNow ? withoutFormer(current) : current;
}

/** Until when the secret being replaced still signs `webhook-signature`; null if no previous secret signs. */
export function oldSecretUntil(row: Pick<Sealed, "next_secret_last4" | "rolled_at" | "previous_until">): Date | null {
  if (row.next_secret_last4 === null || row.rolled_at === null) return row.previous_until;
  return new Date(new Date(row.rolled_at).getTime() + 2 * dayMs);
}

function flipsAt({ rolled_at }: Pick<Sealed, "rolled_at">): Date | null {
  return rolled_at === null ? null : new Date(rolled_at.getTime() + dayMs);
}

function withoutFormer<Row extends Sealed>(row: Row): Row {
  return { ...row, previous_secret: null, previous_until: null };
}

function dropExpired<Row extends Sealed>(row: Row, now: Date): Row {
  return row.previous_until !== null && row.previous_until <= now ? withoutFormer(row) : row;
}
