import type { Place, UdpSocket } from "../net/surroundings.ts";

/** A request or response as the peer reads it: line by line, without the user agent's own parser. */
export interface ReceivedMessage {
  text: string;
  first: string;
  method: string;
  from: Place;
  lines(name: string): string[];
  body: string;
}

/** The network and clock under a peer: simulated, or this machine's. */
export interface Ground {
  now(): number;
  after(ms: number, callback: () => void): () => void;
  socket(at: Place, onMessage: (bytes: Buffer, from: Place) => void): UdpSocket;
}

export type Script = (message: ReceivedMessage, peer: ScriptedPeer) => void;

const localTag = "peer-tag";
/** Its audio port is its signaling port plus this offset. */
export const mediaOffset = 2_000;

/** A trunk made of texts: each test writes its responses. */
export class ScriptedPeer {
  readonly world: Ground;
  readonly at: Place;
  readonly received: ReceivedMessage[] = [];
  readonly rtp: { bytes: Buffer; at: number }[] = [];
  private readonly socket: UdpSocket;
  private readonly media: UdpSocket;
  private rtpTo: Place | null = null;
  private sequence = 4_000;
  private timestamp = 90_000;
  invite: ReceivedMessage | null = null;

  constructor(world: Ground, at: Place, script: Script) {
    this.world = world;
    this.at = at;
    this.socket = world.socket(at, (bytes, from) => {
      const message = read(bytes.toString("latin1"), from);
      this.received.push(message);
      if (message.method === "INVITE" && this.invite === null) this.listenTo(message);
      if (message.method !== "") script(message, this);
    });
    this.media = world.socket(
      { address: at.address, port: at.port + mediaOffset },
      (bytes) => void this.rtp.push({ bytes, at: world.now() }),
    );
  }

  private listenTo(invite: ReceivedMessage): void {
    this.invite = invite;
    const port = /m=audio (\d+)/.exec(invite.body)?.[1];
    this.rtpTo = { address: /c=IN IP4 (\S+)/.exec(invite.body)?.[1] ?? "", port: Number(port) };
  }

  all(method: string): ReceivedMessage[] {
    return this.received.filter((one) => one.method === method);
  }

  get sdp(): string {
    return `v=0\r\no=- 1 1 IN IP4 ${this.at.address}\r\ns=-\r\nc=IN IP4 ${this.at.address}\r\nt=0 0\r\nm=audio ${this.at.port + mediaOffset} RTP/AVP 0 101\r\na=rtpmap:101 telephone-event/8000\r\n`;
  }

  /** Responds with the headers that must be echoed, plus others. */
  reply(
    to: ReceivedMessage,
    first: string,
    { headers = [], body = "", tag = localTag }: { headers?: string[]; body?: string; tag?: string } = {},
  ): void {
    const echoed = ["Via", "From", "Call-ID", "CSeq"].flatMap((name) => to.lines(name).map((value) => `${name}: ${value}`));
    const toLine = to.lines("To")[0] ?? "";
    const hasTag = toLine.includes(";tag=") || first.startsWith("100");
    const contact = `Contact: <sip:callee@${this.at.address}:${this.at.port}>`;
    const type = body === "" ? [] : ["Content-Type: application/sdp"];
    const lines = [
      `SIP/2.0 ${first}`,
      ...echoed,
      `To: ${toLine}${hasTag ? "" : `;tag=${tag}`}`,
      contact,
      ...headers,
      ...type,
      `Content-Length: ${body.length}`,
    ];
    this.send(`${lines.join("\r\n")}\r\n\r\n${body}`, to.from);
  }

  /** Responds with 200 and the peer's description. */
  accept(to: ReceivedMessage, headers: string[] = []): void {
    this.reply(to, "200 OK", { headers, body: this.sdp });
  }

  /** Sends a request of the peer inside the call. */
  request(
    method: string,
    { seq, body = "", type = "application/sdp", headers = [] }: { seq: number; body?: string; type?: string; headers?: string[] },
  ): void {
    const invite = this.invite as ReceivedMessage;
    const contact = /<([^>]+)>/.exec(invite.lines("Contact")[0] ?? "")?.[1] ?? "";
    const to = /@([\d.]+):(\d+)/.exec(contact) ?? [];
    const lines = [
      `${method} ${contact} SIP/2.0`,
      `Via: SIP/2.0/UDP ${this.at.address}:${this.at.port};branch=z9hG4bKpeer${method}${seq}`,
      `From: ${invite.lines("To")[0]};tag=${localTag}`,
      `To: ${invite.lines("From")[0]}`,
      `Call-ID: ${invite.lines("Call-ID")[0]}`,
      `CSeq: ${seq} ${method}`,
      "Max-Forwards: 70",
      `Contact: <sip:callee@${this.at.address}:${this.at.port}>`,
      ...headers,
      ...(body === "" ? [] : [`Content-Type: ${type}`]),
      `Content-Length: ${body.length}`,
    ];
    this.send(`${lines.join("\r\n")}\r\n\r\n${body}`, { address: to[1] ?? "", port: Number(to[2]) });
  }

  send(text: string | Buffer, to: Place): void {
    this.socket.send(Buffer.from(text), to);
  }

  /** Sends one RTP packet; sequence number and timestamp advance as in a stream. */
  speak(payload: Buffer, { type = 0, timestamp, from = this.media }: { type?: number; timestamp?: number; from?: UdpSocket } = {}): void {
    const packet = Buffer.alloc(12 + payload.length);
    packet[0] = 0x80;
    packet[1] = type;
    packet.writeUInt16BE((this.sequence += 1) & 0xffff, 2);
    packet.writeUInt32BE(timestamp ?? this.timestamp, 4);
    packet.writeUInt32BE(0x1234_5678, 8);
    payload.copy(packet, 12);
    if (timestamp === undefined) this.timestamp += payload.length;
    if (this.rtpTo !== null) from.send(packet, this.rtpTo);
  }
}

/** Presses keys as a telephone does: one event each, its end sent three times (RFC 4733). */
export function press(peer: ScriptedPeer, digits: string): void {
  for (const [index, digit] of [...digits].entries())
    for (let part = 1; part <= 8; part += 1) {
      const event = Buffer.from([eventNames.indexOf(digit), part > 5 ? 0x8a : 0x0a, 0, Math.min(part, 6) * 40]);
      peer.speak(event, { type: 101, timestamp: 50_000 + index * 4_000 });
    }
}

const eventNames = "0123456789*#ABCD";

function read(text: string, from: Place): ReceivedMessage {
  const [head = "", ...rest] = text.split("\r\n\r\n");
  const [first = "", ...lines] = head.split("\r\n");
  const linesOf = (name: string) =>
    lines.filter((line) => line.toLowerCase().startsWith(`${name.toLowerCase()}:`)).map((line) => line.slice(name.length + 1).trim());
  return {
    text,
    first,
    method: first.startsWith("SIP/") ? "" : (first.split(" ")[0] ?? ""),
    from,
    lines: linesOf,
    body: rest.join("\r\n\r\n"),
  };
}

/** μ-law as ITU-T G.711 tabulates it, computed independently of the code under test. */
export function decodeMuLaw(byte: number): number {
  const inverted = byte ^ 0xff;
  const segment = (inverted & 0x70) >> 4;
  const step = inverted & 0x0f;
  const magnitude = (2 * step + 33) * 2 ** segment - 33;
  return (inverted & 0x80 ? -magnitude : magnitude) * 4;
}

/** How similar two series of samples are, 1 for the same shape; `other` may start up to `shift` samples later. */
export function correlation(one: readonly number[], other: readonly number[], shift = 0): number {
  const [ours, theirs] = [Float64Array.from(one), Float64Array.from(other)];
  let best = -1;
  for (let by = 0; by <= shift; by += 1) {
    let [product, left, right] = [0, 0, 0];
    for (let at = 0; at < Math.min(ours.length, theirs.length - by); at += 1) {
      const first = ours[at] as number;
      const second = theirs[at + by] as number;
      product += first * second;
      left += first * first;
      right += second * second;
    }
    best = Math.max(best, left * right === 0 ? 0 : product / Math.sqrt(left * right));
  }
  return best;
}
