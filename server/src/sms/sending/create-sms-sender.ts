import { createSender, limitConcurrency, rankByWeight, type Sender, type SenderTimes } from "#messaging/index.ts";
import { smsQueue } from "../channel/tables.sql.ts";
import { simulate } from "../simulator/simulate.ts";
import type { SmsOutcome, SmsTransport } from "../transport.ts";
import { type ClaimedSms, claimAlone, claimDue, leaseMs as usualLeaseMs } from "./claim-due.ts";
import { endSends } from "./end-sends.ts";
import { type ChooseRoute, createSend, type SmsRoute } from "./send-sms.ts";

export interface SmsSenderOptions extends SenderTimes {
  /** The LIVE transports; without any, LIVE messages stay queued until they expire. */
  transports: readonly SmsTransport[];
  leaseMs?: number;
}

const simulatedAtOnce = 64;

/** One process's sender of SMS. */
export function createSmsSender({ transports, leaseMs = usualLeaseMs, ...times }: SmsSenderOptions): Sender {
  const concurrency = transports.reduce((sum, transport) => sum + transport.concurrency, 0);
  const simulator: SmsRoute = { name: "simulator", send: simulate, limited: (work) => work() };
  const test = { livemode: false, capacity: { concurrency: simulatedAtOnce }, send: createSend(() => ({ route: simulator, turn: 0 })) };
  const isOpen = () => transports.some((transport) => transport.isOpen?.() ?? true);
  const live = { livemode: true, capacity: { concurrency }, isOpen, send: createSend(chooseAmong(transports)) };
  return createSender<ClaimedSms, SmsOutcome>(
    {
      queue: smsQueue,
      hint: "sms",
      routes: [...(transports.length === 0 ? [] : [live]), test],
      leaseMs,
      claim: claimDue,
      claimAlone,
      record: endSends,
    },
    times,
  );
}

/**
 * The transports for the number share its messages by weight; after a failed attempt, the next one is tried. A message whose first parts
 * were sent stays with the transport that has them.
 */
function chooseAmong(transports: readonly SmsTransport[]): ChooseRoute {
  const routes = transports.map((transport) => ({
    transport,
    route: {
      name: transport.name,
      send: (_ctx, sms, signal) => transport.send(sms, signal),
      limited: limitConcurrency(transport.concurrency),
    } satisfies SmsRoute,
  }));
  return ({ sms }) => {
    const number = { to: sms.recipient, country: sms.country };
    const fit = routes.filter(({ transport }) => transport.takes(number));
    const current =
      sms.segments_sent > 0 ? fit.find(({ route: { name } }) => sms.provider === name || sms.provider?.startsWith(`${name}:`)) : undefined;
    if (current !== undefined) return { route: current.route, turn: 0 };
    const ranked = rankByWeight(fit, sms.id, ({ transport }) => ({ name: transport.name, weight: transport.share(number) }));
    const [tried, all] = [sms.attempts - 1, Math.max(ranked.length, 1)];
    // If none can send it, the first one determines until when to wait.
    const chosen = ranked[tried % all] ?? fit[0];
    return chosen === undefined ? null : { route: chosen.route, turn: Math.floor(tried / all) };
  };
}
