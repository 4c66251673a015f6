import type { CallEnd, CallLeg, CallTransport } from "#calls/index.ts";
import { createSipTransport } from "#providers/voice/sip/create-sip-transport.ts";
import { readTrunks } from "#providers/voice/sip/settings/read-trunks.ts";
import { newFolder, until } from "./programs.ts";
import { recordingEngine, type Spoken } from "./recording-engine.ts";

export interface CalledOut {
  /** The trunk that had the call last. */
  provider: string | null;
  rang: number;
  answered: number;
  digits: string;
  ends: CallEnd[];
  trunkFaults: [name: string, fault: string | null][];
}

const ownPort = 16_900;

/** Where the signaling of this process's calls is recorded. */
export const recorded: { spoken: Spoken[] | null } = { spoken: null };

export interface CallOut {
  /** In the format of `SIP_TRUNKS`. */
  trunks: string;
  address?: string;
  srtp?: boolean;
  ringMs?: number;
  record?: false | "mono" | "dual";
  /** Runs once the call is answered; it is hung up afterwards, unless it has ended. */
  onAnswer?: (leg: CallLeg, reports: CalledOut) => Promise<void>;
  /** We hang up this long after it rang. */
  hangUpRinging?: boolean;
  /** Waits until the trunks are known to be reachable or not. */
  waitForTrunks?: boolean;
}

function openTransport({ trunks: text, address = "127.0.0.1", srtp = false }: CallOut, reports: CalledOut): CallTransport {
  const { trunks, faults } = readTrunks(text);
  if (faults.length > 0) throw new Error(faults.join());
  return createSipTransport({
    // The settings allow SRTP only over TLS, which these phones aren't set up for.
    trunks: trunks.map((trunk) => ({ ...trunk, srtp })),
    listen: [
      { transport: "UDP", address, port: ownPort, tls: null },
      { transport: "TCP", address, port: ownPort, tls: null },
    ],
    publicAddress: null,
    rtpPorts: [26_000, 27_999],
    recordings: newFolder(),
    now: () => new Date(),
    onTrunk: (name, fault) => void reports.trunkFaults.push([name, fault]),
    onFault: (message) => console.error(message),
    ...(recorded.spoken === null ? {} : { start: recordingEngine(recorded.spoken, ownPort) }),
  });
}

/** One call by the transport as the product runs it. */
export async function callOut(options: CallOut): Promise<CalledOut> {
  const reports: CalledOut = { provider: null, rang: 0, answered: 0, digits: "", ends: [], trunkFaults: [] };
  const transport = openTransport(options, reports);
  if (options.waitForTrunks === true) await until(() => reports.trunkFaults.length > 0, "the trunk's state");
  let acted = Promise.resolve();
  const dialled = transport.dial(
    {
      project_id: "prj_1",
      livemode: true,
      call_id: "call_1",
      from: "+15550100",
      to: "+15551230000",
      country: "US",
      limitMs: 60_000,
      ringMs: options.ringMs ?? 20_000,
      record: options.record ?? false,
    },
    {
      carriedBy: (provider) => void (reports.provider = provider),
      ringing: () => {
        reports.rang += 1;
        if (options.hangUpRinging === true) dialled.hangUp("caller");
      },
      answered: (_at, leg) => {
        reports.answered += 1;
        acted = (options.onAnswer?.(leg, reports) ?? Promise.resolve()).finally(() => leg.hangUp());
      },
      digit: (digit) => void (reports.digits += digit),
      ended: (end) => void reports.ends.push(end),
    },
  );
  await until(() => reports.ends.length > 0, "the end of the call");
  await acted;
  await transport.close();
  return reports;
}
