import { type Hop, Signalling, type SignallingOptions, type Source } from "../net/signalling.ts";
import type { ByteStream, Surroundings } from "../net/surroundings.ts";
import { parseVia, writeHost } from "../wire/address.ts";
import { HeaderList } from "../wire/header-list.ts";
import { answerTo, readCSeq, type SipRequest, type SipResponse } from "../wire/message.ts";
import type { Parsed } from "../wire/parse-message.ts";
import { ClientTransaction, type ClientUser } from "./client-transaction.ts";
import { type Answer, ServerTransaction } from "./server-transaction.ts";

/** The most unfinished requests of peers; more aren't read. */
const maxServed = 2_000;
const cookie = "z9hG4bK";

export interface RequestTaker {
  /** The response to a request that belongs to no call; null if it belongs to one. */
  stray(request: SipRequest): Answer | null;
  /** A new request of a call's peer, which must be answered. */
  request(transaction: ServerTransaction): void;
  /** The ACK of a 2xx; it belongs to no transaction. */
  ack(request: SipRequest): void;
}

/** All requests in progress, ours and our peers'. */
export class Transactions {
  readonly signalling: Signalling;
  private readonly around: Surroundings;
  private readonly taker: RequestTaker;
  private readonly clients = new Map<string, ClientTransaction>();
  private readonly servers = new Map<string, ServerTransaction>();

  constructor(around: Surroundings, options: SignallingOptions, taker: RequestTaker) {
    this.around = around;
    this.taker = taker;
    this.signalling = new Signalling(around, options, (parsed, source) => this.receive(parsed, source));
  }

  /** Sends a request without a Via, or a CANCEL with its INVITE's Via. */
  async send(request: SipRequest, hop: Hop, user: ClientUser): Promise<ClientTransaction> {
    const complete = request.headers.get("via") === null ? await this.withVia(request, hop) : request;
    const key = clientKey(complete) ?? "";
    let stream: ByteStream | null = null;
    const deps = {
      around: this.around,
      send: async (bytes: Buffer, to: Hop) => void (stream = await this.signalling.send(bytes, to)),
      unanswered: () => (stream === null ? undefined : this.signalling.retire(stream)),
      ended: () => void this.clients.delete(key),
    };
    const transaction = new ClientTransaction(deps, { request: complete, hop }, user);
    this.clients.set(key, transaction);
    transaction.start();
    return transaction;
  }

  /** Adds a new Via: ACKs of 2xx are sent without a transaction. */
  async withVia(request: SipRequest, hop: Hop): Promise<SipRequest> {
    const own = await this.signalling.ownPlace(hop);
    const branch = `${cookie}${this.around.random(12).toString("hex")}`;
    const via = `SIP/2.0/${hop.transport} ${writeHost(own.address)}:${own.port};branch=${branch};rport`;
    return { ...request, headers: new HeaderList([["via", via], ...request.headers.entries()]) };
  }

  private receive({ message, fault }: Parsed, source: Source): void {
    if (message.kind === "response") {
      // A response with another sender's Via at the top isn't ours (RFC 3261 §18.1.2): its branch is unknown here.
      const key = clientKey(message);
      if (key !== null && message.headers.listOf("via").length === 1) this.clients.get(key)?.receive(message);
      return;
    }
    if (message.headers.listOf("via").length === 0 || parseVia(message.headers.listOf("via")[0] ?? "") === null) return;
    if (message.method === "ACK") return fault === null ? this.receiveAck(message) : undefined;
    const request = stamped(message, source);
    if (fault !== null) return this.signalling.respond(answerTo(request, { ...fault, tag: this.newTag() }), source);
    const key = serverKey(request);
    const known = this.servers.get(key);
    if (known !== undefined) return known.repeated();
    // Answered and forgotten (RFC 3261 §8.2.7): a flood of strangers' requests takes no slot from calls, and no response to a forged
    // address is repeated.
    const stray = this.taker.stray(request);
    if (stray !== null) return this.signalling.respond(answerTo(request, { ...stray, tag: this.newTag() }), source);
    if (this.servers.size >= maxServed) return;
    const deps = {
      around: this.around,
      respond: (response: SipResponse, to: Source) => this.signalling.respond(response, to),
      tag: this.newTag(),
      ended: () => void this.servers.delete(key),
    };
    const transaction = new ServerTransaction(deps, request, source);
    this.servers.set(key, transaction);
    this.taker.request(transaction);
  }

  private receiveAck(request: SipRequest): void {
    const known = this.servers.get(serverKey(request));
    known?.acknowledged();
    // Some peers give the ACK of a 2xx the branch of its INVITE.
    this.taker.ack(request);
  }

  newTag(): string {
    return this.around.random(8).toString("hex");
  }

  close(): void {
    for (const client of [...this.clients.values()]) client.end();
    for (const server of [...this.servers.values()]) server.drop();
    this.signalling.close();
  }
}

function clientKey(message: SipRequest | SipResponse): string | null {
  const branch = parseVia(message.headers.listOf("via")[0] ?? "")?.params.get("branch");
  const method = readCSeq(message)?.method;
  return branch === undefined || method === undefined ? null : `${branch} ${method}`;
}

/** Peers of RFC 2543 send no branch: their requests are identified by other fields. */
function serverKey(request: SipRequest): string {
  const via = parseVia(request.headers.listOf("via")[0] ?? "");
  const branch = via?.params.get("branch") ?? "";
  const method = request.method === "ACK" ? "INVITE" : request.method;
  const sentBy = `${via?.host}:${via?.port}`;
  if (branch.startsWith(cookie) && branch.length > cookie.length) return `${branch} ${sentBy} ${method}`;
  const named = ["call-id", "from"].map((name) => request.headers.get(name) ?? "");
  return [...named, sentBy, readCSeq(request)?.number, method].join(" ");
}

/** Writes the request's real source into the top Via (RFC 3581). */
function stamped(request: SipRequest, { address, port }: Source): SipRequest {
  const [first = "", ...others] = request.headers.listOf("via");
  const parts = first.split(";").filter((part) => !/^\s{0,20}(?:received\s{0,20}=|rport\s{0,20}(?:=|$))/i.test(part));
  const asksPort = parseVia(first)?.params.has("rport") ?? false;
  const top = [...parts, `received=${address}`, ...(asksPort ? [`rport=${port}`] : [])].join(";");
  const rest = request.headers.entries().filter(([name]) => name !== "via");
  return { ...request, headers: new HeaderList([...[top, ...others].map((via) => ["via", via] as const), ...rest]) };
}
