import type { ChannelTask } from "#messaging/index.ts";
import { clearSmsBodies } from "../change/clear-bodies.ts";
import { expireSms } from "../change/expire-sms.ts";
import { releaseScheduled } from "../change/release-scheduled.ts";
import { endInboundParts } from "../inbound/take-inbound.ts";
import { retryEarlyReceipts, settleSent } from "../receipts/take-receipt.ts";
import { createSmsSender } from "../sending/create-sms-sender.ts";
import { reviveSms } from "../sending/revive-sms.ts";
import { playSmsFollowUps } from "../simulator/play-follow-ups.ts";
import type { SmsTransport } from "../transport.ts";

/** The periodic tasks of SMS. */
export function smsTasks(transports: readonly SmsTransport[]): ChannelTask[] {
  const sender = createSmsSender({ transports });
  return [
    { name: "send_sms", everyMs: 200, run: sender.run, listen: sender.listen, finish: sender.finish },
    { name: "release_sms", everyMs: 500, run: releaseScheduled },
    { name: "revive_sms", everyMs: 4_000, run: reviveSms },
    { name: "play_simulated_sms", everyMs: 500, run: playSmsFollowUps },
    { name: "expire_sms", everyMs: 1_000, run: expireSms },
    { name: "settle_sms", everyMs: 2_000, run: settleSent },
    { name: "match_early_sms_receipts", everyMs: 2_000, run: retryEarlyReceipts },
    { name: "end_inbound_sms_parts", everyMs: 60_000, run: endInboundParts },
    { name: "forget_sms_bodies", everyMs: 60_000, run: clearSmsBodies },
  ];
}
