import type { Destination } from "#messaging/index.ts";
import type { Hop } from "../net/signalling.ts";
import { ownUri } from "../net/signalling.ts";
import type { Surroundings } from "../net/surroundings.ts";
import type { ClientTransaction } from "../transaction/client-transaction.ts";
import type { Transactions } from "../transaction/transactions.ts";
import { writeHost } from "../wire/address.ts";
import { HeaderList } from "../wire/header-list.ts";
import type { SipRequest, SipResponse } from "../wire/message.ts";
import type { TrunkConfig } from "./config.ts";
import { Credentials } from "./credentials.ts";
import { findHops } from "./find-hops.ts";
import { Registration } from "./registration.ts";

const pingMs = 30_000;
const pingDownMs = 10_000;
const pingPatienceMs = 5_000;
const hopsMs = 60_000;
/** A peer's Retry-After is only a hint; this is the maximum. */
const maxPauseMs = 300_000;

/** The state of a trunk. */
export interface TrunkState {
  name: string;
  /** Why it can't be used; null if there's no known reason. */
  fault: string | null;
  /** Calls in progress. */
  calls: number;
  /** When the next call may start, by the monotonic clock. */
  nextTurn: number;
  /** Calls assigned to it since it has been in use, and those of them that it couldn't take. */
  started: number;
  failed: number;
}

export interface TrunkDeps {
  around: Surroundings;
  transactions: Transactions;
  /** Called on every change. */
  onState(state: TrunkState): void;
}

/** One trunk: whether it can be used, how many calls it has, and when the next may start. */
export class Trunk {
  readonly config: TrunkConfig;
  readonly credentials: Credentials;
  private readonly deps: TrunkDeps;
  private readonly registration: Registration | null;
  private active = 0;
  private nextTurn = 0;
  private pausedUntil = 0;
  private pingFault: string | null = null;
  private registerFault: string | null;
  private started = 0;
  private failed = 0;
  private reported: Omit<TrunkState, "name"> = { fault: null, calls: 0, nextTurn: 0, started: 0, failed: 0 };
  private known: { hops: Hop[]; at: number } | null = null;
  private stopPing = () => {};
  private isClosed = false;
  private readonly decided = Promise.withResolvers<void>();
  private isDecided: boolean;

  constructor(deps: TrunkDeps, config: TrunkConfig) {
    this.deps = deps;
    this.config = config;
    this.credentials = new Credentials(deps.around, config);
    this.registerFault = config.register ? "it isn't registered yet" : null;
    this.isDecided = !config.register;
    const registered = (fault: string | null) => {
      this.registerFault = fault;
      this.isDecided = true;
      this.decided.resolve();
      this.report();
    };
    this.registration = config.register
      ? new Registration({ ...deps, config, credentials: this.credentials, hops: () => this.hops(), onResult: registered })
      : null;
  }

  start(): void {
    void this.registration?.register();
    if (this.config.ping) void this.ping();
  }

  /** null, or what to wait for: a call before the first registration's response doesn't have to fail because of it. */
  get unready(): Promise<void> | null {
    return this.isDecided ? null : this.decided.promise;
  }

  /** Why no call may use it now, for operators: it may quote the registrar. null if calls may. */
  get fault(): string | null {
    if (this.registerFault !== null) return this.registerFault;
    if (this.pingFault !== null) return this.pingFault;
    return this.pausedUntil > this.deps.around.now() ? "it asked for a pause" : null;
  }

  private report(): void {
    const { fault, active: calls, nextTurn, started, failed, reported } = this;
    if (
      this.isClosed ||
      (fault === reported.fault && calls === reported.calls && started === reported.started && failed === reported.failed)
    )
      return;
    this.reported = { fault, calls, nextTurn, started, failed };
    this.deps.onState({ name: this.config.name, ...this.reported });
  }

  /** As `reaches`, but without the messaging room, which the thread of calls doesn't load. */
  takes({ to, country }: Destination): boolean {
    const { countries } = this.config;
    return countries === null || countries.some((one) => (/^\d/.test(one) ? to.startsWith(`+${one}`) : one === country));
  }

  /** Its addresses. Names are resolved again after a while; the last result counts if they no longer resolve. */
  async hops(): Promise<Hop[]> {
    const now = this.deps.around.now();
    if (this.known !== null && now - this.known.at < hopsMs) return this.known.hops;
    const hops = await findHops(this.deps.around, this.config);
    if (hops.length > 0) this.known = { hops, at: now };
    return hops.length > 0 ? hops : (this.known?.hops ?? []);
  }

  /** Takes a channel and returns in how many milliseconds the call may start; null if there is none, or its turn comes later. */
  reserve(withinMs: number): { delayMs: number } | null {
    const now = this.deps.around.now();
    const turn = Math.max(now, this.nextTurn);
    if (this.active >= this.config.channels || turn - now > withinMs) return null;
    this.active += 1;
    this.started += 1;
    this.nextTurn = turn + 1_000 / this.config.cps;
    this.report();
    return { delayMs: turn - now };
  }

  release(): void {
    this.active -= 1;
    this.report();
  }

  /** Updates the trunk's state from a response to a call. */
  note(result: SipResponse | "timeout" | "unreachable"): void {
    if (typeof result === "string" || result.status === 503) this.failed += 1;
    if (typeof result === "string") this.pingFault = result === "timeout" ? "it doesn't respond" : "it can't be reached";
    else if (result.status === 503) this.pause(result);
    else this.pingFault = null;
    this.report();
    if (this.pingFault !== null && this.config.ping) this.pingIn(pingDownMs);
    // Without pings nothing would notice that it's back.
    if (!this.config.ping) this.pingFault = null;
  }

  private pause(response: SipResponse): void {
    const match = /^\s{0,20}(\d{1,9})/.exec(response.headers.get("retry-after") ?? "");
    if (match === null) return;
    const ms = Math.min(Number(match[1]) * 1_000, maxPauseMs);
    this.pausedUntil = this.deps.around.now() + ms;
    this.deps.around.after(ms, () => this.report());
  }

  private pingIn(ms: number): void {
    this.stopPing();
    if (!this.isClosed) this.stopPing = this.deps.around.after(ms, () => void this.ping());
  }

  private async ping(): Promise<void> {
    const fault = await this.ask();
    if (this.isClosed) return;
    this.pingFault = fault;
    this.report();
    this.pingIn(fault === null ? pingMs : pingDownMs);
  }

  /** Sends OPTIONS to each of its addresses until one responds; any response except 503 means it's up. */
  async ask(): Promise<string | null> {
    let fault: string | null = "its host can't be resolved";
    for (const hop of await this.hops()) {
      fault = await this.askHop(hop);
      if (fault === null) return null;
    }
    return fault;
  }

  /** Checks whether it can be used: registers if configured, else sends OPTIONS. */
  async try(): Promise<string | null> {
    if (this.registration === null) return this.ask();
    await this.registration.register();
    return this.registerFault;
  }

  private async askHop(hop: Hop): Promise<string | null> {
    const request = await this.options(hop).catch(() => null);
    if (request === null) return "it can't be reached from this machine";
    return new Promise((resolve) => {
      let sent: ClientTransaction | null = null;
      const stop = this.deps.around.after(pingPatienceMs, () => {
        sent?.giveUp();
        resolve("it doesn't respond");
      });
      const done = (fault: string | null) => {
        stop();
        resolve(fault);
      };
      const final = (response: SipResponse) => {
        if (response.status === 503) this.pause(response);
        done(response.status === 503 ? "it reports that it's unavailable" : null);
      };
      this.deps.transactions
        .send(request, hop, { final, failed: (cause) => done(cause === "timeout" ? "it doesn't respond" : "it can't be reached") })
        .then(
          (transaction) => void (sent = transaction),
          () => done("it can't be reached"),
        );
    });
  }

  private async options(hop: Hop): Promise<SipRequest> {
    const { transactions, around } = this.deps;
    const own = await transactions.signalling.ownPlace(hop);
    const uri = `sip:${writeHost(this.config.host)}${this.config.port === null ? "" : `:${this.config.port}`}`;
    const headers = new HeaderList([
      ["max-forwards", "70"],
      ["from", `<${ownUri(own, "UDP", "ping")}>;tag=${transactions.newTag()}`],
      ["to", `<${uri}>`],
      ["call-id", around.random(16).toString("hex")],
      ["cseq", "1 OPTIONS"],
      ["contact", `<${ownUri(own, hop.transport, "")}>`],
      ["accept", "application/sdp"],
      ["user-agent", "Tillpost"],
    ]);
    return { kind: "request", method: "OPTIONS", uri, headers, body: Buffer.alloc(0) };
  }

  async close(): Promise<void> {
    this.isClosed = true;
    this.stopPing();
    await this.registration?.close();
  }
}
