import { tmpdir } from "node:os";
import type { CallDial, CallEnd, CallHandlers, CallLine, CallTransport, OutgoingCall } from "#calls/index.ts";
import type { Destination } from "#messaging/index.ts";
import type { Report } from "./agent/messages.ts";
import { type Engine, type StartEngine, startThread } from "./agent/start-thread.ts";
import { ThreadedLeg } from "./agent/threaded-leg.ts";
import type { AgentOptions } from "./agent/user-agent.ts";
import type { DialledCall } from "./call/outbound-call.ts";
import { countFree } from "./trunk/count-free.ts";
import { reaches } from "./trunk/reaches.ts";
import type { TrunkState } from "./trunk/trunk.ts";

export interface SipTransportOptions extends Omit<AgentOptions, "recordings"> {
  now: () => Date;
  /** The folder for recordings in progress; the system's temporary folder by default. */
  recordings?: string;
  /** Called when a trunk can't be used, and with null when it can again. */
  onTrunk?: (name: string, fault: string | null) => void;
  /** Called with what prevents the transport as a whole from working. */
  onFault?: (message: string) => void;
  /** Called with an error that affected a single message or call. */
  onError?: (message: string) => void;
  start?: StartEngine;
  /** The pause before a lost thread is replaced. */
  restartMs?: number;
}

const usualRestartMs = 1_000;

interface Open {
  handlers: CallHandlers;
  leg: ThreadedLeg | null;
}

type Reserved = Pick<Extract<Report, { type: "reserved" }>, "isGranted" | "trunk">;
const refused: Reserved = { isGranted: false, trunk: null };

const lostEnd = (reason: string): CallEnd => ({
  status: "failed",
  sip_code: null,
  reason,
  hangup_by: "transport",
  error: { code: "transport_lost", message: "The calling thread stopped." },
});

/** A trunk as operators see it. */
export interface TrunkHealth extends Omit<TrunkState, "nextTurn"> {
  /** The maximum number of concurrent calls. */
  channels: number;
}

export interface SipTransport extends Required<Omit<CallTransport, "findRecording">> {
  /** The current state of each trunk, in the order in which they're tried. */
  trunks(): TrunkHealth[];
}

/**
 * Calls over the operator's own SIP trunks. A separate thread handles SIP and RTP; it starts at once, because trunks need to be registered
 * with.
 */
export function createSipTransport(options: SipTransportOptions): SipTransport {
  return new ThreadedTransport(options);
}

class ThreadedTransport implements SipTransport {
  readonly name = "sip";
  readonly channels: number;
  isOpen = false;
  private readonly options: SipTransportOptions;
  private readonly open = new Map<number, Open>();
  /** Calls that wait for a channel. */
  private readonly reserving = new Map<number, (reserved: Reserved) => void>();
  /** Answered calls that have ended and whose recording isn't complete yet. */
  private readonly finishing = new Map<number, ThreadedLeg>();
  private readonly states = new Map<string, TrunkState>();
  private engine: Engine | null;
  private next = 1;
  private isClosed = false;
  private onClosed = () => {};

  constructor(options: SipTransportOptions) {
    this.options = options;
    this.channels = options.trunks.reduce((sum, { channels }) => sum + channels, 0);
    this.engine = this.start();
  }

  private start(): Engine {
    const { trunks, listen, publicAddress, rtpPorts, ca, recordings = tmpdir() } = this.options;
    const engine: Engine = (this.options.start ?? startThread)(
      { trunks, listen, publicAddress, rtpPorts, recordings, ca },
      {
        report: (report) => this.take(report),
        lost: (reason) => {
          if (this.engine === engine) this.restart(reason);
        },
      },
    );
    return engine;
  }

  /** Every call ends with the thread that made it; later calls get a new one. A pause prevents a restart loop if the thread can't start. */
  private restart(reason: string): void {
    this.options.onFault?.(`The calling thread was lost: ${reason}`);
    const at = this.options.now();
    for (const [id] of this.open) this.end(id, lostEnd(reason), at);
    for (const leg of this.finishing.values()) leg.recorded(null);
    this.finishing.clear();
    for (const decide of this.reserving.values()) decide(refused);
    this.engine = null;
    this.isOpen = false;
    this.states.clear();
    if (this.isClosed) return this.onClosed();
    setTimeout(() => {
      if (!this.isClosed) this.engine = this.start();
    }, this.options.restartMs ?? usualRestartMs).unref();
  }

  takes(number: Destination): boolean {
    return this.options.trunks.some((trunk) => reaches(trunk, number));
  }

  canCarry(number: Destination): boolean {
    return this.options.trunks.some((trunk) => reaches(trunk, number) && (this.states.get(trunk.name)?.fault ?? null) === null);
  }

  countFree(): (number: Destination) => boolean {
    const { options, states, engine } = this;
    const known = options.trunks.map((config) => ({ config, state: states.get(config.name) }));
    return countFree(known, engine?.now() ?? 0);
  }

  async reserve(call: OutgoingCall, signal: AbortSignal): Promise<CallLine | null> {
    const { engine } = this;
    if (!this.isOpen || this.isClosed || engine === null || signal.aborted) return null;
    const id = this.next++;
    const { promise, resolve } = Promise.withResolvers<Reserved>();
    const release = () => engine.post({ do: "release", id });
    const giveUp = () => {
      release();
      resolve(refused);
    };
    this.reserving.set(id, resolve);
    engine.post({ do: "reserve", id, call: dialledOf(call) });
    signal.addEventListener("abort", giveUp, { once: true });
    const { isGranted, trunk } = await promise;
    signal.removeEventListener("abort", giveUp);
    this.reserving.delete(id);
    if (!isGranted) return null;
    const dial: CallLine["dial"] = (one, handlers) => this.dialAs(id, { call: one, handlers, engine });
    return { name: trunk === null ? this.name : this.nameOf(trunk), isUnusable: trunk === null, release, dial };
  }

  dial(call: OutgoingCall, handlers: CallHandlers): CallDial {
    return this.dialAs(this.next++, { call, handlers, engine: this.engine });
  }

  /** Dials on the thread that has the call's channel; if that thread is gone, so is the call. */
  private dialAs(id: number, { call, handlers, engine }: { call: OutgoingCall; handlers: CallHandlers; engine: Engine | null }): CallDial {
    this.open.set(id, { handlers, leg: null });
    if (this.isClosed || engine === null || engine !== this.engine) {
      this.end(id, lostEnd("the transport is closed"), this.options.now());
    } else engine.post({ do: "dial", id, call: dialledOf(call) });
    return { hangUp: (by) => engine?.post({ do: "hangUp", id, by }) };
  }

  private take(report: Report): void {
    if (report.type === "trunk") return this.takeState(report.state);
    if (report.type === "fault") return this.options.onFault?.(report.message);
    if (report.type === "error") return this.options.onError?.(report.message);
    if (report.type === "closed") return this.onClosed();
    if (report.type === "open") {
      this.isOpen = true;
      return;
    }
    if (report.type === "reserved") return this.reserving.get(report.id)?.(report);
    if (report.type === "recorded") return this.recorded(report);
    const open = this.open.get(report.id);
    if (open === undefined) return;
    if (report.type === "carriedBy") open.handlers.carriedBy(this.nameOf(report.trunk));
    else if (report.type === "ringing") open.handlers.ringing(this.timeOf(report.at));
    else if (report.type === "digit") open.handlers.digit(report.digit, this.timeOf(report.at));
    else if (report.type === "ended") this.end(report.id, report.end, this.timeOf(report.at));
    else if (report.type === "answered") {
      const { id } = report;
      open.leg = new ThreadedLeg(id, (command) => this.engine?.post(command));
      open.handlers.answered(this.timeOf(report.at), open.leg);
    } else open.leg?.take(report);
  }

  private nameOf(trunk: string): string {
    return `${this.name}:${trunk}`;
  }

  private takeState(state: TrunkState): void {
    const known = this.states.get(state.name)?.fault ?? null;
    this.states.set(state.name, state);
    if (known !== state.fault) this.options.onTrunk?.(state.name, state.fault);
  }

  trunks(): TrunkHealth[] {
    return this.options.trunks.map(({ name, channels }) => {
      const { fault = null, calls = 0, started = 0, failed = 0 } = this.states.get(name) ?? {};
      return { name, channels, calls, started, failed, fault: this.isOpen ? fault : "SIP is not listening" };
    });
  }

  /** The time when it happened; this thread may hear of it later. */
  private timeOf(at: number): Date {
    return new Date(this.options.now().getTime() - Math.max(0, (this.engine?.now() ?? at) - at));
  }

  private end(id: number, end: CallEnd, at: Date): void {
    const open = this.open.get(id);
    if (open === undefined) return;
    this.open.delete(id);
    if (open.leg !== null) {
      open.leg.ended();
      if (end.error?.code === "transport_lost") open.leg.recorded(null);
      else this.finishing.set(id, open.leg);
    }
    open.handlers.ended(end, at);
  }

  private recorded({ id, recording }: Extract<Report, { type: "recorded" }>): void {
    this.finishing.get(id)?.recorded(recording);
    this.finishing.delete(id);
  }

  async close(): Promise<void> {
    if (this.isClosed) return;
    this.isClosed = true;
    for (const decide of this.reserving.values()) decide(refused);
    await new Promise<void>((resolve) => {
      this.onClosed = resolve;
      if (this.engine === null) resolve();
      else this.engine.post({ do: "close" });
    });
    await this.engine?.end();
    const at = this.options.now();
    for (const [id] of this.open) this.end(id, lostEnd("the transport is closed"), at);
    for (const leg of this.finishing.values()) leg.recorded(null);
  }
}

function dialledOf({ call_id, from, to, country, ringMs, limitMs, record }: OutgoingCall): DialledCall {
  return { call_id, from, to, country, ringMs, limitMs, record };
}
