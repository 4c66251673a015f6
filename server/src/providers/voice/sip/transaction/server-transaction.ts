import type { Source } from "../net/signalling.ts";
import type { Surroundings } from "../net/surroundings.ts";
import { answerTo, type SipRequest, type SipResponse } from "../wire/message.ts";
import { t1, t2, timeoutMs } from "./timers.ts";

export interface Answer {
  status: number;
  reason: string;
  headers?: [string, string][];
  body?: Buffer;
}

export interface ServerDeps {
  around: Surroundings;
  respond(response: SipResponse, source: Source): void;
  /** The tag to add to a To without one. */
  tag: string;
  ended(): void;
}

/**
 * A request from a peer (RFC 3261 §17.2): repetitions get the same response again, and the final response to an INVITE is repeated until
 * its ACK arrives.
 */
export class ServerTransaction {
  readonly request: SipRequest;
  readonly source: Source;
  private readonly deps: ServerDeps;
  private last: SipResponse | null = null;
  private isEnded = false;
  private stopRepeat = () => {};
  private stopLinger = () => {};
  /** Called if the ACK of a final response never arrived. */
  onUnacknowledged = () => {};

  constructor(deps: ServerDeps, request: SipRequest, source: Source) {
    this.deps = deps;
    this.request = request;
    this.source = source;
  }

  get isAnswered(): boolean {
    return this.last !== null && this.last.status >= 200;
  }

  repeated(): void {
    if (this.last !== null) this.deps.respond(this.last, this.source);
  }

  answer(answer: Answer): void {
    if (this.isAnswered || this.isEnded) return;
    this.last = answerTo(this.request, { ...answer, tag: this.deps.tag });
    this.deps.respond(this.last, this.source);
    if (answer.status < 200) return;
    const isInvite = this.request.method === "INVITE";
    this.stopLinger = this.deps.around.after(timeoutMs, () => {
      this.end();
      if (isInvite) this.onUnacknowledged();
    });
    // A 2xx is repeated over connections too: hops beyond the next one may lose it.
    if (isInvite && (this.source.transport === "UDP" || answer.status < 300)) this.repeatAfter(t1);
  }

  private repeatAfter(ms: number): void {
    this.stopRepeat = this.deps.around.after(ms, () => {
      this.repeated();
      this.repeatAfter(Math.min(ms * 2, t2));
    });
  }

  acknowledged(): void {
    this.end();
  }

  private end(): void {
    if (this.isEnded) return;
    this.isEnded = true;
    this.stopRepeat();
    this.stopLinger();
    this.deps.ended();
  }

  /** Ends it without waiting for anything, because the user agent closes. */
  drop(): void {
    this.end();
  }
}
