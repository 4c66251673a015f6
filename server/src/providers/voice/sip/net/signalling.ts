import { isPort, parseVia, writeHost } from "../wire/address.ts";
import type { SipResponse } from "../wire/message.ts";
import { writeMessage } from "../wire/message.ts";
import { type Parsed, parseMessage } from "../wire/parse-message.ts";
import { StreamFramer } from "../wire/stream-framer.ts";
import type { ByteStream, Place, StreamServer, Surroundings, UdpSocket } from "./surroundings.ts";

export type Transport = "UDP" | "TCP" | "TLS";

/** Where a request goes next. */
export interface Hop extends Place {
  transport: Transport;
  /** The name that the certificate of a TLS server must have. */
  servername: string;
}

export interface ListenAt extends Place {
  transport: Transport;
  /** PEM, if `transport` is TLS. */
  tls: { cert: string; key: string } | null;
}

export interface SignallingOptions {
  listen: readonly ListenAt[];
  /** The address that peers reach this host by; null: the address that packets leave from. */
  publicAddress: string | null;
  /** Trunk certificates to trust in addition to the system's. */
  ca?: string | undefined;
}

/** Where a message came from, and the way back for its responses. */
export interface Source extends Place {
  transport: Transport;
  /** The connection it came over; null for UDP. */
  stream: ByteStream | null;
}

export type OnMessage = (parsed: Parsed, source: Source) => void;

/** The most connections of peers to hold, below the machine's limit per address: anyone can open one and send nothing. */
const acceptedMax = 200;
/** How long a connection that is no longer used may be silent: longer than the response to any request sent over it may take. */
const silentMs = 180_000;
/** How long this machine's address towards a peer counts. Routes change, for example when an interface gets another address. */
const localMs = 60_000;

interface Connection {
  stream: Promise<ByteStream>;
  /** null while it's being opened. */
  open: ByteStream | null;
}

/** The sockets of signaling: datagrams, and connections that stay open as long as the peer keeps them. */
export class Signalling {
  private readonly around: Surroundings;
  private readonly options: SignallingOptions;
  private readonly onMessage: OnMessage;
  private readonly opened = new Set<ListenAt>();
  private readonly sockets: UdpSocket[] = [];
  private readonly servers: { at: ListenAt; server: StreamServer }[] = [];
  private readonly connections = new Map<string, Connection>();
  private readonly streams = new Set<ByteStream>();
  private readonly retired = new WeakSet<ByteStream>();
  /** Connections that peers opened, the longest idle first. */
  private readonly accepted = new Set<ByteStream>();
  private readonly locals = new Map<string, { address: string; at: number }>();

  constructor(around: Surroundings, options: SignallingOptions, onMessage: OnMessage) {
    this.around = around;
    this.options = options;
    this.onMessage = onMessage;
  }

  /** Fails if an address is in use; called again, it continues with those that aren't open yet. */
  async open(): Promise<void> {
    for (const at of this.options.listen) {
      if (this.opened.has(at)) continue;
      if (at.transport === "UDP") this.addSocket(await this.around.openUdp(at));
      else this.servers.push({ at, server: await this.around.listen(at, (stream) => this.accept(stream, at.transport)) });
      this.opened.add(at);
    }
  }

  private addSocket(socket: UdpSocket): void {
    this.sockets.push(socket);
    socket.onMessage((bytes, from) => {
      const parsed = parseMessage(bytes);
      if (parsed !== null) this.onMessage(parsed, { ...from, transport: "UDP", stream: null });
    });
  }

  /** Above the limit, the longest idle connection is closed: someone who holds many open can't block a trunk. */
  private accept(stream: ByteStream, transport: Transport): void {
    const [silent] = this.accepted;
    if (silent !== undefined && this.accepted.size >= acceptedMax) {
      this.accepted.delete(silent);
      silent.close();
    }
    this.accepted.add(stream);
    stream.onData(() => {
      if (this.accepted.delete(stream)) this.accepted.add(stream);
    });
    stream.onClose(() => this.accepted.delete(stream));
    this.adopt(stream, transport);
  }

  private adopt(stream: ByteStream, transport: Transport): void {
    const framer = new StreamFramer();
    this.streams.add(stream);
    stream.onClose(() => this.streams.delete(stream));
    stream.onData((bytes) => {
      const { messages, broken } = framer.take(bytes);
      for (const parsed of messages) this.onMessage(parsed, { ...stream.remote, transport, stream });
      if (broken) stream.close();
    });
  }

  /** Our address and port as announced to peers of that hop. */
  async ownPlace(hop: Hop): Promise<Place> {
    const bound = this.boundFor(hop.transport);
    const address = this.options.publicAddress ?? (await this.localAddress(hop, bound?.address ?? "0.0.0.0"));
    return { address, port: bound?.port ?? (hop.transport === "TLS" ? 5061 : 5060) };
  }

  private boundFor(transport: Transport): Place | undefined {
    return transport === "UDP" ? this.sockets[0] : this.servers.find(({ at }) => at.transport === transport)?.server;
  }

  private async localAddress(hop: Hop, bound: string): Promise<string> {
    if (bound !== "0.0.0.0" && bound !== "::") return bound;
    const known = this.locals.get(hop.address);
    const now = this.around.now();
    if (known !== undefined && now - known.at < localMs) return known.address;
    try {
      const address = await this.around.localAddressTo(hop);
      this.locals.set(hop.address, { address, at: now });
      return address;
    } catch (error) {
      // The last one counts while there is no route.
      if (known !== undefined) return known.address;
      throw error;
    }
  }

  /** Sends a request, and returns the connection it uses. Rejects if the connection is refused or there is no UDP socket. */
  async send(bytes: Buffer, hop: Hop): Promise<ByteStream | null> {
    if (hop.transport === "UDP") {
      const socket = this.sockets.find((one) => one.address.includes(":") === hop.address.includes(":")) ?? this.sockets[0];
      if (socket === undefined) throw new Error("no UDP address to send from: SIP_LISTEN names none");
      socket.send(bytes, hop);
      return null;
    }
    const stream = await this.connection(hop);
    stream.write(bytes);
    return stream;
  }

  private connection(hop: Hop): Promise<ByteStream> {
    const name = `${hop.transport} ${hop.address} ${hop.port} ${hop.servername}`;
    const known = this.connections.get(name);
    if (known !== undefined) return known.stream;
    const servername = hop.transport === "TLS" ? hop.servername : null;
    const stream = this.around.connect({ address: hop.address, port: hop.port, servername, ca: this.options.ca });
    const connection: Connection = { stream, open: null };
    const drop = () => {
      if (this.connections.get(name) === connection) this.connections.delete(name);
    };
    this.connections.set(name, connection);
    stream.then((open) => {
      connection.open = open;
      open.onClose(drop);
      this.adopt(open, hop.transport);
    }, drop);
    return stream;
  }

  /**
   * Sends nothing more over a connection on which a request got no response: a peer that lost it, for example by a restart or a firewall,
   * never says so. It can still receive, because it may only be slow and have calls; it's closed once it's silent.
   */
  retire(stream: ByteStream): void {
    for (const [name, connection] of this.connections) if (connection.open === stream) this.connections.delete(name);
    if (this.retired.has(stream) || !this.streams.has(stream)) return;
    this.retired.add(stream);
    let stop = () => {};
    const wait = () => {
      stop();
      stop = this.around.after(silentMs, () => stream.close());
    };
    stream.onData(wait);
    stream.onClose(() => stop());
    wait();
  }

  /** Sends a response the way its request arrived: over its connection, or to its source address at the port that its Via requests. */
  respond(response: SipResponse, source: Source): void {
    const bytes = writeMessage(response);
    if (source.stream !== null) return source.stream.write(bytes);
    const via = parseVia(response.headers.listOf("via")[0] ?? "");
    const port = via === null || via.params.has("rport") ? source.port : (via.port ?? 5060);
    // A forged packet may come from port 0.
    if (isPort(port)) this.sockets[0]?.send(bytes, { address: source.address, port });
  }

  close(): void {
    for (const socket of this.sockets) socket.close();
    for (const { server } of this.servers) server.close();
    for (const stream of this.streams) stream.close();
  }
}

/** Our `sip:user@address:port` for a transport. */
export function ownUri(own: Place, transport: Transport, user: string): string {
  const param = transport === "UDP" ? "" : `;transport=${transport.toLowerCase()}`;
  return `sip:${user === "" ? "" : `${user}@`}${writeHost(own.address)}:${own.port}${param}`;
}
