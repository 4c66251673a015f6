import type { Hop } from "../net/signalling.ts";
import type { Surroundings } from "../net/surroundings.ts";
import { HeaderList } from "../wire/header-list.ts";
import { readCSeq, type SipRequest, type SipResponse, writeMessage } from "../wire/message.ts";
import { t1, t2, t4, timeoutMs } from "./timers.ts";

/**
 * What happens to a request that was sent. Nothing follows `final` or `failed`, except that each 2xx of an INVITE is passed on, including
 * repetitions.
 */
export interface ClientUser {
  provisional?(response: SipResponse): void;
  final(response: SipResponse): void;
  failed(cause: "timeout" | "unreachable"): void;
}

export interface ClientDeps {
  around: Surroundings;
  send(bytes: Buffer, hop: Hop): Promise<void>;
  /** Called if there was no response at all: the connection may be dead. */
  unanswered(): void;
  /** Called once it no longer matches any response. */
  ended(): void;
}

type State = "calling" | "proceeding" | "accepted" | "completed" | "ended";

/**
 * A request in progress (RFC 3261 §17.1, RFC 6026): repeated over UDP until it gets a response, and abandoned after 64 × T1 without any.
 */
export class ClientTransaction {
  readonly request: SipRequest;
  readonly hop: Hop;
  private readonly deps: ClientDeps;
  private readonly user: ClientUser;
  private readonly bytes: Buffer;
  private state: State = "calling";
  private stopRepeat = () => {};
  private stopTimeout = () => {};

  constructor(deps: ClientDeps, sent: { request: SipRequest; hop: Hop }, user: ClientUser) {
    this.deps = deps;
    this.request = sent.request;
    this.hop = sent.hop;
    this.user = user;
    this.bytes = writeMessage(sent.request);
  }

  private get isInvite(): boolean {
    return this.request.method === "INVITE";
  }

  private get isReliable(): boolean {
    return this.hop.transport !== "UDP";
  }

  /** Whether it got any response, even a provisional one. */
  get isAnswered(): boolean {
    return this.state !== "calling";
  }

  start(): void {
    this.stopTimeout = this.deps.around.after(timeoutMs, () => this.fail("timeout"));
    if (!this.isReliable) this.repeatAfter(t1);
    this.transmit(this.bytes, () => this.fail("unreachable"));
  }

  private transmit(bytes: Buffer, onLost: () => void): void {
    this.deps.send(bytes, this.hop).catch(onLost);
  }

  private repeatAfter(ms: number): void {
    this.stopRepeat = this.deps.around.after(ms, () => {
      this.transmit(this.bytes, () => undefined);
      const isSlow = !this.isInvite && this.state === "proceeding";
      this.repeatAfter(this.isInvite ? ms * 2 : isSlow ? t2 : Math.min(ms * 2, t2));
    });
  }

  receive(response: SipResponse): void {
    if (response.status < 200) return this.takeProvisional(response);
    if (this.isInvite && response.status < 300) return this.takeSuccess(response);
    if (this.state === "accepted" || this.state === "ended") return;
    if (this.isInvite) this.acknowledge(response);
    if (this.state === "completed") return;
    this.enter("completed");
    const lingerMs = this.isReliable ? 0 : this.isInvite ? timeoutMs : t4;
    this.stopTimeout = this.deps.around.after(lingerMs, () => this.end());
    this.user.final(response);
  }

  private takeProvisional(response: SipResponse): void {
    if (this.state !== "calling" && this.state !== "proceeding") return;
    if (this.isInvite && this.state === "calling") {
      // From now on the ringing time limits how long this may take, and then its CANCEL.
      this.stopRepeat();
      this.stopTimeout();
    }
    this.state = "proceeding";
    this.user.provisional?.(response);
  }

  private takeSuccess(response: SipResponse): void {
    if (this.state === "completed" || this.state === "ended") return;
    if (this.state !== "accepted") {
      this.enter("accepted");
      this.stopTimeout = this.deps.around.after(timeoutMs, () => this.end());
    }
    this.user.final(response);
  }

  private enter(state: State): void {
    this.stopRepeat();
    this.stopTimeout();
    this.state = state;
  }

  private acknowledge(response: SipResponse): void {
    const headers = withHeaders(this.request, ["via", "from", "call-id", "route", "max-forwards"]);
    headers.add("to", response.headers.get("to") ?? "").add("cseq", `${readCSeq(this.request)?.number ?? 0} ACK`);
    const ack: SipRequest = { kind: "request", method: "ACK", uri: this.request.uri, headers, body: Buffer.alloc(0) };
    this.transmit(writeMessage(ack), () => undefined);
  }

  /** The CANCEL of this INVITE (RFC 3261 §9.1), to be sent as a separate request to the same hop. */
  cancelRequest(reason: string | null): SipRequest {
    const headers = withHeaders(this.request, ["via", "from", "to", "call-id", "route", "max-forwards"]);
    headers.add("cseq", `${readCSeq(this.request)?.number ?? 0} CANCEL`);
    if (reason !== null) headers.add("reason", reason);
    return { kind: "request", method: "CANCEL", uri: this.request.uri, headers, body: Buffer.alloc(0) };
  }

  /** Its CANCEL was sent: it fails if no final response follows in time (RFC 3261 §9.1). */
  canceled(): void {
    if (this.state !== "calling" && this.state !== "proceeding") return;
    this.stopTimeout();
    this.stopTimeout = this.deps.around.after(timeoutMs, () => this.fail("timeout"));
  }

  /** Isn't sent again without a response, so that a peer that recovers starts nothing for it. A late response still counts. */
  stopRepeating(): void {
    if (this.state === "calling") this.stopRepeat();
  }

  /** Its user no longer waits for it. Without any response so far it isn't sent again, and later requests use another connection. */
  giveUp(): void {
    this.stopRepeating();
    if (this.state === "calling") this.deps.unanswered();
  }

  private fail(cause: "timeout" | "unreachable"): void {
    if (this.state !== "calling" && this.state !== "proceeding") return;
    if (cause === "timeout") this.giveUp();
    this.end();
    this.user.failed(cause);
  }

  end(): void {
    if (this.state === "ended") return;
    this.enter("ended");
    this.deps.ended();
  }
}

function withHeaders(request: SipRequest, names: readonly string[]): HeaderList {
  const rows = request.headers.entries().filter(([name]) => names.includes(name));
  // Only our own Via: there was none above it when this was sent.
  return new HeaderList(rows);
}
