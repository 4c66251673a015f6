import { createHash } from "node:crypto";
import type { ByteStream, Place, SrvRecord, Surroundings, UdpSocket } from "../net/surroundings.ts";

interface Event {
  at: number;
  callback(): void;
}

export type Datagram = { bytes: Buffer; from: Place; to: Place };

const key = ({ address, port }: Place) => `${address}:${port}`;
const latencyMs = 1;

/** A simulated network and clock: time passes only while it's waited for, and as fast as the machine can. */
export class SimulatedWorld {
  private time = 1_000;
  private events: Event[] = [];
  private readonly sockets = new Map<string, (bytes: Buffer, from: Place) => void>();
  private readonly servers = new Map<string, (stream: ByteStream) => void>();
  private count = 0;
  private nextPort = 40_000;
  /** Which datagrams are lost or delayed. */
  delivery: (datagram: Datagram) => "lost" | number = () => 0;
  srvRecords: SrvRecord[] = [];
  hosts = new Map<string, string[]>();

  now(): number {
    return this.time;
  }

  after(ms: number, callback: () => void): () => void {
    const event = { at: this.time + Math.max(0, ms), callback };
    this.events.push(event);
    return () => void (this.events = this.events.filter((one) => one !== event));
  }

  /** Lets time pass until a condition is true, at most that many milliseconds. */
  async until(isTrue: () => boolean, ms = 600_000): Promise<void> {
    const end = this.time + ms;
    await settled();
    while (!isTrue()) {
      this.events.sort((one, other) => one.at - other.at);
      const next = this.events.shift();
      if (next === undefined || next.at > end) throw new Error(`nothing made it true in ${ms} ms`);
      this.time = next.at;
      next.callback();
      await settled();
    }
  }

  async pass(ms: number): Promise<void> {
    let isDone = false;
    this.after(ms, () => void (isDone = true));
    await this.until(() => isDone, ms + 1);
  }

  /** Opens a socket on the test's side. */
  socket(at: Place, onMessage: (bytes: Buffer, from: Place) => void): UdpSocket {
    if (this.sockets.has(key(at))) throw new Error(`EADDRINUSE ${key(at)}`);
    this.sockets.set(key(at), onMessage);
    return {
      ...at,
      send: (bytes, to) => {
        // As Node's sockets do.
        if (!(to.port >= 1 && to.port <= 65_535)) throw new RangeError(`Port should be > 0 and < 65536. Received ${to.port}.`);
        this.deliver({ bytes: Buffer.from(bytes), from: at, to });
      },
      onMessage: (listener) => void this.sockets.set(key(at), listener),
      close: () => void this.sockets.delete(key(at)),
    };
  }

  private deliver(datagram: Datagram): void {
    const delivery = this.delivery(datagram);
    if (delivery !== "lost") this.after(latencyMs + delivery, () => this.sockets.get(key(datagram.to))?.(datagram.bytes, datagram.from));
  }

  /** Accepts connections at a place. */
  serve(at: Place, onStream: (stream: ByteStream) => void): void {
    this.servers.set(key(at), onStream);
  }

  surroundings(): Surroundings {
    return {
      now: () => this.now(),
      after: (ms, callback) => this.after(ms, callback),
      random: (bytes) =>
        createHash("shake256", { outputLength: bytes })
          .update(`chance ${(this.count += 1)}`)
          .digest(),
      openUdp: async ({ address, port }) => this.socket({ address, port: port === 0 ? (this.nextPort += 1) : port }, () => undefined),
      connect: async (to) => this.connect(to),
      listen: async (at, onStream) => {
        this.serve(at, onStream);
        return { ...at, close: () => void this.servers.delete(key(at)) };
      },
      localAddressTo: async () => "10.0.0.1",
      srv: async () => {
        if (this.srvRecords.length === 0) throw new Error("ENODATA");
        return this.srvRecords;
      },
      addresses: async (host) => this.hosts.get(host) ?? (/^[\d.]+$/.test(host) ? [host] : Promise.reject(new Error("ENOTFOUND"))),
    };
  }

  private connect(to: Place): ByteStream {
    const accept = this.servers.get(key(to));
    if (accept === undefined) throw new Error("ECONNREFUSED");
    const local = { address: "10.0.0.1", port: (this.nextPort += 1) };
    const [ours, theirs] = pair(this, { one: local, other: to });
    accept(theirs);
    return ours;
  }
}

function pair(world: SimulatedWorld, ends: { one: Place; other: Place }): [ByteStream, ByteStream] {
  const data: ((bytes: Buffer) => void)[][] = [[], []];
  const closes: (() => void)[][] = [[], []];
  const close = () =>
    void world.after(0, () =>
      closes
        .splice(0)
        .flat()
        .forEach((notify) => notify()),
    );
  const end = (own: 0 | 1, local: Place, remote: Place): ByteStream => ({
    local,
    remote,
    write: (bytes) => void world.after(latencyMs, () => data[1 - own]?.forEach((listener) => listener(bytes))),
    onData: (listener) => void data[own]?.push(listener),
    onClose: (listener) => void closes[own]?.push(listener),
    close,
  });
  return [end(0, ends.one, ends.other), end(1, ends.other, ends.one)];
}

/** Pending promises run before anything else happens. */
function settled(): Promise<void> {
  return new Promise((resolve) => void setImmediate(resolve));
}
