import { takeQuota } from "#messaging/index.ts";
import { type Ctx, isoOf, type Tx } from "#platform/index.ts";
import type { ReadyMessage } from "../carriers/carrier.ts";
import { withdrawCodes } from "../carriers/carriers.ts";
import { codeMac, codeOf, keyNumberOf } from "../derive-code.ts";
import type { HeldVerification } from "../rows/rows.sql.ts";
import type { CodeChannel, SentCode, VerificationRow } from "../shapes.ts";
import { changeVerifications } from "./change-verifications.ts";
import { limitSends } from "./limit-sends.ts";

/** How long after a code was sent a worker first checks its message. */
export const firstLookMs = 2_000;

const timeoutMs = 500;

interface Sending {
  held: HeldVerification;
  channel: CodeChannel;
  cause: SentCode["cause"];
  ready: ReadyMessage;
}

/**
 * Sends a locked verification's code: counts the send, withdraws earlier messages that weren't sent yet, and accepts the new one. Throws
 * verification_limit, and what the channel refuses.
 */
export async function sendCode(tx: Tx, pinned: Ctx, { held, channel, cause, ready }: Sending): Promise<void> {
  await limitSends(tx, held);
  const now = pinned.now();
  // Withdrawn messages return their cost. Acceptance locks the day's counter before it touches the cost, and so does this.
  await takeQuota(tx, pinned, {
    channel: pinned.channels.sendingNamed(channel),
    uses: [{ tenant: held, tier: held.tier, units: 0 }],
    now,
    timeoutMs,
  });
  await withdrawCodes(tx, pinned, [held]);
  // The id is only known after writing. Written last, because the day's counter blocks the project's other transactions.
  const message_id = await ready.write(tx, pinned);
  const coded = { ...held, key_number: keyNumberOf(pinned.masterKeys, held) };
  await changeVerifications(tx, pinned, {
    held: [held],
    change: () => ({
      to: {
        channel,
        key_number: coded.key_number,
        code_mac: codeMac(pinned.masterKeys, coded, codeOf(pinned.masterKeys, coded)),
        sends_left: held.sends_left - 1,
        sends: [...held.sends, { channel, message_id, cause, created_at: isoOf(now) }],
        error: null,
        looks: 0,
        ...timesAfter(held, { channel, now }),
      },
      notify: "sent",
    }),
  });
}

/** When the next channel is tried, and when a worker checks the verification. */
function timesAfter(
  row: VerificationRow,
  { channel, now }: { channel: CodeChannel; now: Date },
): Pick<VerificationRow, "fallback_at" | "due_at"> {
  const hasNext = row.fallback_s !== null && nextChannel({ ...row, channel }) !== null;
  const fallback_at = hasNext ? new Date(now.getTime() + (row.fallback_s ?? 0) * 1_000) : null;
  return { fallback_at, due_at: earliest(new Date(now.getTime() + firstLookMs), row.expires_at, fallback_at) };
}

/** The channel to try after the one of the last code; null if there isn't one. */
export function nextChannel({ channels, channel }: Pick<VerificationRow, "channels" | "channel">): CodeChannel | null {
  return channels[channels.indexOf(channel) + 1] ?? null;
}

export function earliest(...times: readonly (Date | null)[]): Date {
  const given = times.filter((time) => time !== null);
  return new Date(Math.min(...given.map((time) => time.getTime())));
}
