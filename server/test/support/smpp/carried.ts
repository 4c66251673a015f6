import type { BindReport } from "#providers/sms/smpp/bind/create-bind.ts";
import type { SmppLimits } from "#providers/sms/smpp/bind/limits.ts";
import { createSmppTransport, type SmppTransport } from "#providers/sms/smpp/create-smpp-transport.ts";
import { readBinds } from "#providers/sms/smpp/settings/read-binds.ts";
import type { InboundSms, OutgoingSms, SmsIntake, SmsReceipt } from "#sms/index.ts";
import { partsOf } from "#sms/text/encode-parts.ts";
import type { LateRefusal } from "#sms/transport.ts";
import { eventually } from "#test/support/time/eventually.ts";

export const patient = new AbortController().signal;
/** When everything happens, so that the same message has the same bytes. */
export const carriedAt = new Date("2026-11-24T00:00:00.000Z");

/** A message to a number, as the room hands it over. */
export function sms(to: string, body: string, more: Partial<OutgoingSms> = {}): OutgoingSms {
  return {
    project_id: "prj_1",
    livemode: true,
    sms_id: `sms_${to}`,
    from: { value: "+15550100", kind: "number" },
    to,
    country: "US",
    body,
    parts: partsOf(body, 0x5a),
    firstPart: 0,
    firstPartsBy: null,
    attempt: 1,
    turn: 0,
    expires_at: new Date(carriedAt.getTime() + 36_000_000),
    ...more,
  };
}

export interface Carried {
  transport: SmppTransport;
  receipts: SmsReceipt[];
  refusals: LateRefusal[];
  inbound: InboundSms[];
  /** What was reported about the binds, in order. */
  changes: string[];
  /** Advances the transport's clock, which is stopped otherwise. */
  advance(ms: number): void;
  /** Refuses to store anything while it is set. */
  broken: { is: boolean };
  /** Makes storing wait until the returned function is called. */
  holdUp(): () => void;
  /** Waits until a bind is up. */
  up(name?: string): Promise<void>;
}

/** Timers that nothing waits for while a test runs. */
const never = 3_600_000;
const usualLimits: Partial<SmppLimits> = {
  ...{ connectMs: never, bindMs: never, responseMs: never, enquireMs: never, timeoutMs: never },
  ...{ firstRetryMs: 20, longestRetryMs: 20 },
};

/** The transport over a test's binds, with what it handed in. The binds' own timers fire only if `limits` says so. */
export function carry(binds: string, limits: Partial<SmppLimits> = {}, more: { ca?: string[] } = {}): Carried {
  let aheadMs = 0;
  const [receipts, refusals, inbound, changes]: [SmsReceipt[], LateRefusal[], InboundSms[], string[]] = [[], [], [], []];
  const broken = { is: false };
  let storing: Promise<void> | null = null;
  const taken = async <T>(list: T[], one: T): Promise<void> => {
    if (broken.is) throw new Error("the database is away");
    if (storing !== null) await storing;
    list.push(one);
  };
  const intake: SmsIntake = {
    async receipt(receipt) {
      await taken(receipts, receipt);
      return "stored";
    },
    refusal: (refusal) => taken(refusals, refusal),
    inbound: (message) => taken(inbound, message),
  };
  const report: BindReport = {
    up: (name) => void changes.push(`${name} up`),
    down: (name, reason) => void changes.push(`${name} down: ${reason}`),
    submitted: (name, status) => void changes.push(`${name} ${status ?? "lost"}`),
  };
  const transport = createSmppTransport({
    binds: readBinds(binds),
    intake,
    now: () => new Date(carriedAt.getTime() + aheadMs),
    report,
    limits: { ...usualLimits, ...limits },
    ...(more.ca === undefined ? {} : { ca: more.ca }),
  });
  const isUp = (name?: string) => transport.binds().some((bind) => bind.isUp && (name === undefined || bind.name === name));
  const up = (name?: string) =>
    eventually(
      () => `the bind is up: ${changes.join("; ")}`,
      () => isUp(name),
    );
  const advance = (ms: number) => void (aheadMs += ms);
  const holdUp = () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    storing = promise;
    return resolve;
  };
  return { transport, receipts, refusals, inbound, changes, broken, up, advance, holdUp };
}
