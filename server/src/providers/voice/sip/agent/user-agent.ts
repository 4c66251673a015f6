import { allowed } from "../call/invite.ts";
import { type CallEvents, type DialledCall, OutboundCall } from "../call/outbound-call.ts";
import type { Session } from "../call/session.ts";
import { dialogName } from "../dialog/dialog.ts";
import { Ticker } from "../media/rtp/ticker.ts";
import type { ListenAt } from "../net/signalling.ts";
import type { Surroundings } from "../net/surroundings.ts";
import type { Answer } from "../transaction/server-transaction.ts";
import { Transactions } from "../transaction/transactions.ts";
import type { TrunkConfig } from "../trunk/config.ts";
import { LineRequest } from "../trunk/line-request.ts";
import { Trunk, type TrunkState } from "../trunk/trunk.ts";
import type { SipRequest } from "../wire/message.ts";

export interface AgentOptions {
  trunks: readonly TrunkConfig[];
  listen: readonly ListenAt[];
  publicAddress: string | null;
  rtpPorts: readonly [low: number, high: number];
  /** The folder that recordings are written to. */
  recordings: string;
  ca?: string | undefined;
}

/** How long calls may take to hang up when the agent closes. */
const closeMs = 3_000;

/** A SIP user agent that places calls over trunks and accepts none. */
export class UserAgent {
  private readonly around: Surroundings;
  private readonly options: AgentOptions;
  private readonly transactions: Transactions;
  private readonly ticker: Ticker;
  private readonly trunks: Trunk[];
  private readonly sessions = new Map<string, Session>();
  private readonly calls = new Set<OutboundCall>();

  constructor(around: Surroundings, options: AgentOptions, onTrunk: (state: TrunkState) => void) {
    this.around = around;
    this.options = options;
    this.ticker = new Ticker(around);
    this.transactions = new Transactions(around, options, {
      stray: (request) => this.strayAnswer(request),
      request: (transaction) => this.sessionOf(transaction.request)?.take(transaction),
      ack: (request) => this.sessionOf(request)?.takeAck(request),
    });
    this.trunks = options.trunks.map((config) => new Trunk({ around, transactions: this.transactions, onState: onTrunk }, config));
  }

  /** Fails if it can't listen on an address. In a trial, trunks are left alone until they're tried. */
  async open({ isTrial = false } = {}): Promise<void> {
    await this.transactions.signalling.open();
    if (isTrial) return;
    for (const trunk of this.trunks) trunk.start();
  }

  /** Checks each trunk without a call: null, or why it can't be used. */
  async tryTrunks(): Promise<Map<string, string | null>> {
    return new Map(await Promise.all(this.trunks.map(async (trunk) => [trunk.config.name, await trunk.try()] as const)));
  }

  /** Requests a channel for a call. */
  reserve(number: Pick<DialledCall, "to" | "country">, onDecided: (isGranted: boolean) => void): LineRequest {
    const fitting = this.trunks.filter((trunk) => trunk.takes(number));
    const request = new LineRequest(this.around, fitting, onDecided);
    void request.start();
    return request;
  }

  /** Places a call, on the channel that it has of a trunk if it has one. */
  dial(call: DialledCall, events: CallEvents, line: Trunk | null = null): OutboundCall {
    const { around, transactions, ticker, trunks, sessions } = this;
    const address = this.options.listen[0]?.address ?? "0.0.0.0";
    const deps = {
      ...{ around, transactions, ticker, trunks, line, sessions },
      rtp: { address, range: this.options.rtpPorts },
      recordingPath: (id: string) => `${this.options.recordings}/${id.replace(/[^\w-]/g, "_")}-${around.random(6).toString("hex")}.wav`,
    };
    const dialled: OutboundCall = new OutboundCall(deps, call, {
      ...events,
      ended: (end) => {
        this.calls.delete(dialled);
        events.ended(end);
      },
    });
    this.calls.add(dialled);
    dialled.start();
    return dialled;
  }

  private sessionOf(request: SipRequest): Session | undefined {
    const { callId, localTag, remoteTag } = dialogName(request);
    const session = this.sessions.get(callId);
    return session?.isNamed(localTag, remoteTag) === true ? session : undefined;
  }

  private strayAnswer(request: SipRequest): Answer | null {
    if (this.sessionOf(request) !== undefined) return null;
    return dialogName(request).localTag === "" ? answerOutside(request) : { status: 481, reason: "Call Does Not Exist" };
  }

  /** Hangs up, unregisters, and closes every socket. */
  async close(): Promise<void> {
    for (const call of [...this.calls]) call.hangUp("caller");
    const done = Promise.all([this.quiet(), ...this.trunks.map((trunk) => trunk.close())]);
    await Promise.race([done, new Promise<void>((resolve) => void this.around.after(closeMs, resolve))]);
    this.transactions.close();
  }

  private async quiet(): Promise<void> {
    for (let looks = 0; looks < closeMs / 50 && this.calls.size + this.sessions.size > 0; looks += 1) {
      await new Promise<void>((resolve) => void this.around.after(50, resolve));
    }
  }
}

/** Responds to requests that belong to none of our calls. */
function answerOutside(request: SipRequest): Answer {
  const unknown = request.headers.listOf("require").filter((name) => name.toLowerCase() !== "timer");
  if (!/^sips?:/i.test(request.uri)) return { status: 416, reason: "Unsupported URI Scheme" };
  if (request.method === "CANCEL") return { status: 481, reason: "Call Does Not Exist" };
  if (unknown.length > 0) return { status: 420, reason: "Bad Extension", headers: [["unsupported", unknown.join(", ")]] };
  if (request.method === "OPTIONS") {
    return {
      status: 200,
      reason: "OK",
      headers: [
        ["allow", allowed],
        ["accept", "application/sdp"],
      ],
    };
  }
  // Inbound calls are refused.
  if (request.method === "INVITE") return { status: 403, reason: "Forbidden" };
  return { status: 405, reason: "Method Not Allowed", headers: [["allow", allowed]] };
}
