import { reachesNumber } from "#messaging/index.ts";
import type { BindHold, OutgoingSms, SentPart, SmsIntake, SmsOutcome, SmsPart, SmsTransport } from "#sms/index.ts";
import { type Bind, type BindReport, createBind, type SubmitResponse, type Submitted } from "./bind/create-bind.ts";
import { type SmppLimits, usualLimits } from "./bind/limits.ts";
import { chooseBind, hasRoute, isAble } from "./choose-bind.ts";
import { accountsOf, providerOf } from "./settings/accounts.ts";
import type { SmppBind } from "./settings/read-binds.ts";
import { takeIn } from "./take-in.ts";
import { destinationAddress, sourceAddress } from "./wire/addresses.ts";
import { classifyAnswer, spellStatus } from "./wire/answers.ts";

export interface SmppOptions {
  binds: readonly SmppBind[];
  intake: SmsIntake;
  now: () => Date;
  report: BindReport;
  /** Decides which process has which bind if several share them. Without it this process has them all. */
  hold?: BindHold;
  limits?: Partial<SmppLimits>;
  /** Certificates to trust in addition to the usual ones. */
  ca?: string[];
}

export interface BindState {
  name: string;
  isUp: boolean;
  /** Submits that wait for a response. */
  inUse: number;
  window: number;
  /** Until when nothing is sent because the carrier asked for less. */
  restsUntil: Date | null;
}

export interface SmppTransport extends SmsTransport {
  binds(): BindState[];
}

/**
 * Messages in progress per window slot, half of them waiting for one, so that a slow database leaves no slot unused. A higher value would
 * leave more messages in doubt after a crash.
 */
const claimedAhead = 2;

/** SMS over SMPP 3.4, through all configured binds. */
export function createSmppTransport(options: SmppOptions): SmppTransport {
  const { intake, now, report, ca, hold } = options;
  const limits = { ...usualLimits, ...options.limits };
  const binds = options.binds.map((bind) =>
    createBind({ bind, limits, now, ca, hold, report, onDeliver: (pdu) => takeIn(pdu, { bind, intake, now }) }),
  );
  return {
    name: "smpp",
    concurrency: options.binds.reduce((sum, { window }) => sum + window, 0) * claimedAhead,
    connections: accountsOf(options.binds),
    takes: (number) => options.binds.some(({ countries }) => reachesNumber(countries, number)),
    isOpen: () => binds.some(isAble),
    share(number) {
      const able = binds.filter((bind) => isAble(bind) && reachesNumber(bind.settings.countries, number));
      return able.reduce((sum, { settings }) => sum + settings.weight, 0);
    },
    send: (sms, signal) => send({ binds, intake, now }, sms, signal),
    binds: () => binds.map(stateOf),
    async close() {
      await Promise.all(binds.map((bind) => bind.close()));
    },
  };
}

function stateOf({ settings, isUp, inUse, restsUntil }: Bind): BindState {
  return { name: settings.name, isUp, inUse, window: settings.window, restsUntil: restsUntil() };
}

interface SendOptions extends Pick<SmppOptions, "intake" | "now"> {
  binds: readonly Bind[];
}

async function send({ binds, intake, now }: SendOptions, sms: OutgoingSms, signal: AbortSignal): Promise<SmsOutcome> {
  if (!hasRoute(binds, sms))
    return nothing({ result: "refused", code: "no_route", message: "No carrier is set up for this number.", provider_code: null });
  const bind = chooseBind(binds, sms);
  if (bind === null) {
    const until = new Date(now().getTime() + 1_000 + Math.random() * 4_000);
    return nothing({ result: "held", until, reason: "no carrier for this number accepts messages right now" });
  }
  const addresses = addressesOf(sms, bind.settings);
  if ("fault" in addresses) return nothing({ result: "refused", ...addresses.fault, provider_code: null });
  const validity = validityOf(sms.expires_at, now());
  if (validity === null)
    return nothing({ result: "refused", code: "expired", message: "The message expired before it could be sent.", provider_code: null });
  const provider = providerOf(bind.settings);
  const { project_id, livemode, sms_id: id } = sms;
  const sent: SentPart[] = [];
  for (const [index, part] of sms.parts.entries()) {
    if (index < sms.firstPart) continue;
    const fields = { ...addresses.fields, ...fieldsOf(part, index === sms.parts.length - 1), validity_period: validity };
    const onLate = reportsLate(intake, provider, { project_id, livemode, id, place: index });
    const stop = classifySubmit(bind, await bind.submit(fields, { signal, onLate }), { index, sent, now });
    if (stop !== null) return { provider, sent, ...stop };
  }
  return { provider, sent, result: "accepted" };
}

/** What identifies a part that was submitted. */
interface SubmittedPart {
  project_id: string;
  livemode: boolean;
  id: string;
  place: number;
}

/**
 * Creates the function that reports that the carrier accepted a part in doubt, and under which id, or that it refused it. If that can't be
 * stored, the message stays in doubt. Kept for as long as the connection lasts if there is no response, so it holds nothing else of the
 * message.
 */
function reportsLate(intake: SmsIntake, provider: string, part: SubmittedPart): (response: SubmitResponse) => void {
  return ({ status, messageId }) => {
    const verdict = classifyAnswer(status);
    if (verdict.result === "accepted" && messageId !== null) {
      const accepted = { state: "accepted", code: null, provider_code: null, occurred_at: null } as const;
      void intake.receipt({ provider, provider_message_id: messageId, ...accepted, message: part }).catch(() => undefined);
    }
    if (verdict.result !== "refused") return;
    const { code, message } = verdict;
    void intake.refusal({ provider, part, code, message, provider_code: spellStatus(status) }).catch(() => undefined);
  };
}

type Stop = SmsOutcome extends infer One ? (One extends SmsOutcome ? Omit<One, "provider" | "sent"> : never) : never;

const nothing = (stop: Stop): SmsOutcome => ({ provider: "smpp", sent: [], ...stop });

/** null if the part was accepted and the next may be sent. */
function classifySubmit(
  bind: Bind,
  submitted: Submitted,
  { index, sent, now }: { index: number; sent: SentPart[]; now: () => Date },
): Stop | null {
  if (submitted.kind === "lost") return { result: "unknown", message: `The carrier's response was lost: ${submitted.reason}.` };
  if (submitted.kind === "held") {
    // If some parts were sent, the attempt counts and the message continues later.
    if (sent.length === 0) return { result: "held", until: submitted.until, reason: submitted.reason };
    const retry_after_ms = Math.max(0, submitted.until.getTime() - now().getTime());
    return {
      result: "deferred",
      retry_after_ms,
      code: "throttled",
      message: "The carrier accepts no more parts right now.",
      provider_code: null,
    };
  }
  const verdict = classifyAnswer(submitted.status);
  if (verdict.result === "accepted") {
    bind.succeed();
    sent.push({ index, provider_message_id: submitted.messageId });
    return null;
  }
  const { code, message } = verdict;
  const provider_code = spellStatus(submitted.status);
  if (verdict.result === "refused") return { result: "refused", code, message, provider_code };
  if (verdict.isUnbound) bind.dropSession("the carrier no longer knows the bind");
  return { result: "deferred", retry_after_ms: verdict.isPace ? bind.rest() : null, code, message, provider_code };
}

type Fields = Readonly<Record<string, string | number | Buffer>>;

function addressesOf(sms: OutgoingSms, { shortCodes }: SmppBind): { fields: Fields } | { fault: { code: string; message: string } } {
  const source = sourceAddress(sms.from, shortCodes);
  if (source === null) return { fault: { code: "carrier_rejected", message: "Carriers only accept senders in ASCII characters." } };
  const destination = destinationAddress(sms.to);
  if (destination === null) return { fault: { code: "invalid_number", message: "The recipient isn't a number." } };
  return {
    fields: {
      source_addr_ton: source.ton,
      source_addr_npi: source.npi,
      source_addr: source.addr,
      dest_addr_ton: destination.ton,
      dest_addr_npi: destination.npi,
      destination_addr: destination.addr,
    },
  };
}

const headerBit = 0x40;
const codings = { "GSM-7": 0x00, "UCS-2": 0x08 } as const;

/**
 * Each part requests its own receipt, and all but the last announce more to come, so that the carrier keeps the connection to the handset
 * open.
 */
function fieldsOf({ encoding, hasHeader, bytes }: SmsPart, isLast: boolean): Fields {
  const more = isLast ? {} : { more_messages_to_send: 1 };
  return { esm_class: hasHeader ? headerBit : 0, registered_delivery: 1, data_coding: codings[encoding], short_message: bytes, ...more };
}

const longestDays = 28;

/** How long the carrier may try, relative to its own clock, as `YYMMDDhhmmsstnnp`; null if that time is over. */
function validityOf(expiresAt: Date, now: Date): string | null {
  const seconds = Math.min(Math.floor((expiresAt.getTime() - now.getTime()) / 1_000), longestDays * 86_400);
  if (seconds < 1) return null;
  const two = (value: number) => String(Math.floor(value)).padStart(2, "0");
  return `0000${two(seconds / 86_400)}${two((seconds % 86_400) / 3_600)}${two((seconds % 3_600) / 60)}${two(seconds % 60)}000R`;
}
