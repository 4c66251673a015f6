import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** A balancer in front of a database: accepts every connection and treats it according to `mode`. */
export interface DatabaseProxy {
  url: string;
  /**
   * pass: forwards bytes. hold: accepts connections and bytes, and forwards none. hold new: the same for new connections. close: accepts
   * and closes them. stop commit: cuts the connection of the next COMMIT before the database sees it, and passes from then on. lose commit:
   * the same once the database has responded to it.
   */
  mode: "pass" | "hold" | "hold new" | "close" | "stop commit" | "lose commit";
  /** How often clients sent something. */
  writes: number;
  /** Ends every open connection. */
  drop(): void;
  close(): Promise<void>;
}

export async function startDatabaseProxy(behind: string): Promise<DatabaseProxy> {
  const target = new URL(behind);
  const sockets = new Set<Socket>();
  const proxy: DatabaseProxy = {
    url: "",
    mode: "pass",
    writes: 0,
    drop() {
      for (const socket of sockets) socket.destroy();
    },
    async close() {
      server.close();
      proxy.drop();
      await once(server, "close");
    },
  };
  const keep = (socket: Socket) => {
    sockets.add(socket.on("error", () => {}).once("close", () => sockets.delete(socket)));
    return socket;
  };
  const server = createServer((socket) => {
    keep(socket);
    if (proxy.mode === "close") return void socket.destroy();
    if (proxy.mode === "hold new") return;
    const other = keep(connect(Number(target.port), target.hostname));
    const hand = (from: Socket, to: Socket) =>
      from.on("data", (bytes) => void (proxy.mode !== "hold" && !to.destroyed && to.write(bytes))).once("close", () => to.destroy());
    socket.on("data", (bytes) => {
      proxy.writes += 1;
      if (!proxy.mode.endsWith("commit") || !bytes.includes("commit\0")) return;
      if (proxy.mode === "stop commit") other.destroy();
      else other.prependOnceListener("data", () => socket.destroy());
      proxy.mode = "pass";
    });
    hand(socket, other);
    hand(other, socket);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = new URL(behind);
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  proxy.url = url.href;
  return proxy;
}
