import { randomBytes } from "node:crypto";
import { createSocket } from "node:dgram";
import { promises as dns, lookup as dnsLookup } from "node:dns";
import { connect as connectTcp, createServer, isIP, isIPv6, type Server, type Socket } from "node:net";
import { connect as connectTls, createServer as createTlsServer } from "node:tls";
import { isPort } from "../wire/address.ts";
import type { ByteStream, Place, StreamOptions, StreamServer, Surroundings, UdpSocket } from "./surroundings.ts";

const connectMs = 5_000;
const dnsMs = 3_000;
const maxUnwritten = 1_048_576;
/** Idle connections are tested after that time, so that one that the peer has lost is closed. */
const keepAliveMs = 30_000;

/** Real sockets, the process's monotonic clock, and the machine's resolver. */
export function realSurroundings(): Surroundings {
  const resolver = new dns.Resolver({ timeout: dnsMs, tries: 2 });
  return {
    now: () => Number(process.hrtime.bigint() / 1_000n) / 1_000,
    after: (ms, callback) => {
      const timer = setTimeout(callback, ms);
      return () => clearTimeout(timer);
    },
    random: randomBytes,
    openUdp,
    connect,
    listen,
    localAddressTo,
    srv: (name) => resolver.resolveSrv(name),
    addresses: async (host) => {
      if (isIP(host) !== 0) return [host];
      const found = await dns.lookup(host, { all: true, order: "ipv4first" });
      return found.map(({ address }) => address);
    },
  };
}

function openUdp({ address, port }: Place): Promise<UdpSocket> {
  return new Promise((resolve, reject) => {
    const socket = createSocket({ type: isIPv6(address) ? "udp6" : "udp4", recvBufferSize: 262_144, lookup });
    const fail = (error: Error) => {
      socket.close();
      reject(error);
    };
    socket.once("error", fail);
    socket.bind({ address, port, exclusive: true }, () => {
      socket.removeListener("error", fail);
      // Errors of single packets: the protocols above notice what doesn't arrive.
      socket.on("error", () => undefined);
      resolve({
        address,
        port: socket.address().port,
        send: (bytes, to) => {
          // Without a callback, a failed look-up or a refused packet is an error event: just a lost packet. A callback per packet costs.
          if (isPort(to.port) && !isClosed(socket)) socket.send(bytes, to.port, to.address);
        },
        onMessage: (listener) => void socket.on("message", (bytes, from) => listener(bytes, { address: from.address, port: from.port })),
        close: () => {
          if (!isClosed(socket)) socket.close();
          closed.add(socket);
        },
      });
    });
  });
}

/** Skips the resolver for addresses, because each packet has one. */
const lookup: typeof dnsLookup = ((host: string, options: object, done: (error: Error | null, address: string, family: number) => void) => {
  const family = isIP(host);
  if (family === 0) return dnsLookup(host, options, done as never);
  done(null, host, family);
}) as never;

const closed = new WeakSet<object>();
const isClosed = (socket: object) => closed.has(socket);

function connect({ address, port, servername, ca }: StreamOptions): Promise<ByteStream> {
  return new Promise((resolve, reject) => {
    // A TLS server name can't be an IP address; the certificate is checked against the address.
    const named = servername !== null && isIP(servername) === 0 ? { servername } : {};
    const trust = ca === undefined ? {} : { ca: [ca] };
    const socket: Socket =
      servername === null ? connectTcp({ host: address, port }) : connectTls({ host: address, port, ...named, ...trust });
    const timer = setTimeout(() => socket.destroy(new Error("connecting took too long")), connectMs);
    socket.once("error", reject);
    socket.once("close", () => clearTimeout(timer));
    socket.once(servername === null ? "connect" : "secureConnect", () => {
      clearTimeout(timer);
      socket.removeListener("error", reject);
      resolve(streamOf(socket));
    });
  });
}

function streamOf(socket: Socket): ByteStream {
  socket.setNoDelay(true);
  socket.setKeepAlive(true, keepAliveMs);
  socket.on("error", () => undefined);
  return {
    local: { address: socket.localAddress ?? "", port: socket.localPort ?? 0 },
    remote: { address: socket.remoteAddress ?? "", port: socket.remotePort ?? 0 },
    write: (bytes) => {
      // Closes the connection of a peer that doesn't read instead of waiting.
      if (socket.writableLength > maxUnwritten) socket.destroy();
      else if (socket.writable) socket.write(bytes);
    },
    onData: (listener) => void socket.on("data", listener),
    onClose: (listener) => void socket.on("close", listener),
    close: () => void socket.destroy(),
  };
}

function listen(at: Parameters<Surroundings["listen"]>[0], onStream: (stream: ByteStream) => void): Promise<StreamServer> {
  return new Promise((resolve, reject) => {
    const accept = (socket: Socket) => onStream(streamOf(socket));
    const server: Server = at.tls === null ? createServer(accept) : createTlsServer({ ...at.tls, handshakeTimeout: connectMs }, accept);
    server.maxConnections = 256;
    server.once("error", reject);
    server.listen(at.port, at.address, () => {
      server.removeListener("error", reject);
      server.on("error", () => undefined);
      const bound = server.address();
      resolve({
        address: at.address,
        port: bound !== null && typeof bound === "object" ? bound.port : at.port,
        close: () => void server.close(),
      });
    });
  });
}

/** Connecting a datagram socket sends nothing; it only chooses the route. */
function localAddressTo({ address, port }: Place): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = createSocket(isIPv6(address) ? "udp6" : "udp4");
    socket.once("error", (error) => {
      socket.close();
      reject(error);
    });
    socket.once("connect", () => {
      const own = socket.address().address;
      socket.close();
      resolve(own);
    });
    // Without a callback: it would be called for an error as well, and the address would be 0.0.0.0.
    socket.connect(port, address);
  });
}
