import { tmpdir } from "node:os";
import type { CallEnd } from "#calls/index.ts";
import { UserAgent } from "../agent/user-agent.ts";
import type { CallEvents, DialledCall, OutboundCall } from "../call/outbound-call.ts";
import type { MediaSession } from "../media/leg/media-session.ts";
import type { Recording } from "../media/record/wav-recorder.ts";
import type { TrunkConfig } from "../trunk/config.ts";
import type { Trunk } from "../trunk/trunk.ts";
import type { SimulatedWorld } from "./simulated-world.ts";

export const own = { address: "10.0.0.1", port: 5_060 };

export function trunkOf(more: Partial<TrunkConfig> = {}): TrunkConfig {
  return {
    ...{ name: "main", host: "10.0.0.2", port: 5_060, transport: "UDP" as const, user: null, password: null, register: false },
    ...{ channels: 10, cps: 100, countries: null, plus: true, srtp: false, ping: false },
    ...more,
  };
}

/** What a call reported, in order. */
export interface CallReports {
  /** The names of the trunks that got the call, in order. */
  trunks: string[];
  rang: number;
  answered: MediaSession[];
  digits: string;
  ends: CallEnd[];
  recordings: (Recording | null)[];
  call: OutboundCall;
}

export interface TestAgent {
  agent: UserAgent;
  trunkFaults: [name: string, fault: string | null][];
  /** How many calls each trunk carries, as last reported. */
  trunkCalls: Map<string, number>;
  dial(more?: Partial<DialledCall>): CallReports;
  /** Requests a line; `isGranted` is null until that is decided. */
  reserve(more?: Partial<DialledCall>): Reservation;
}

export interface Reservation {
  isGranted: boolean | null;
  release(): void;
  dial(): CallReports;
}

/** A call to be dialed. */
export function callOf(more: Partial<DialledCall>): DialledCall {
  return {
    ...{ call_id: "call_1", from: "+15550100", to: "+15551230000", country: "US", ringMs: 30_000, limitMs: 600_000, record: false },
    ...more,
  };
}

function reserveWith(agent: UserAgent, more: Partial<DialledCall> = {}): Reservation {
  const request = agent.reserve(callOf(more), (isGranted) => void (reservation.isGranted = isGranted));
  const reservation: Reservation = {
    isGranted: null,
    release: () => request.release(),
    dial: () => dialWith(agent, more, request.take()),
  };
  return reservation;
}

/** A user agent in a simulated world. */
export async function openAgent(world: SimulatedWorld, trunks: TrunkConfig[] = [trunkOf()]): Promise<TestAgent> {
  const trunkFaults: TestAgent["trunkFaults"] = [];
  const trunkCalls: TestAgent["trunkCalls"] = new Map();
  const listen = [{ transport: "UDP" as const, ...own, tls: null }];
  const agent = new UserAgent(
    world.surroundings(),
    { trunks, listen, publicAddress: null, rtpPorts: [20_000, 20_999], recordings: tmpdir() },
    ({ name, fault, calls }) => {
      if ((trunkFaults.findLast(([known]) => known === name)?.[1] ?? null) !== fault) trunkFaults.push([name, fault]);
      trunkCalls.set(name, calls);
    },
  );
  await agent.open();
  return { agent, trunkFaults, trunkCalls, dial: (more) => dialWith(agent, more), reserve: (more) => reserveWith(agent, more) };
}

/** Places a call with an agent and records its reports. */
export function dialWith(agent: UserAgent, more: Partial<DialledCall> = {}, line: Trunk | null = null): CallReports {
  const reports = { trunks: [], rang: 0, answered: [], digits: "", ends: [], recordings: [] } as unknown as CallReports;
  const events: CallEvents = {
    carriedBy: (trunk) => void reports.trunks.push(trunk),
    ringing: () => void (reports.rang += 1),
    answered: (media) => void reports.answered.push(media),
    digit: (digit) => void (reports.digits += digit),
    ended: (end) => void reports.ends.push(end),
    recorded: (recording) => void reports.recordings.push(recording),
  };
  reports.call = agent.dial(callOf(more), events, line);
  return reports;
}
