import { createSocket, type Socket } from "node:dgram";
import { once } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
import { Worker } from "node:worker_threads";

/** A packet of G.711 for 20 ms with its RTP header. */
const bytes = 172;

export interface Streams {
  count: number;
  ms: number;
  /** The port that echoes each datagram. */
  port: number;
}

/** Sends as much as `count` calls send, a datagram every 20 ms on a separate socket each, and receives the echo. */
export async function sendStreams({ count, ms, port }: Streams): Promise<void> {
  const sockets: Socket[] = [];
  for (let one = 0; one < count; one += 1) {
    const socket = createSocket("udp4").on("message", () => undefined);
    socket.bind(0, "127.0.0.1");
    await once(socket, "listening");
    sockets.push(socket);
  }
  const packet = Buffer.alloc(bytes, 0xd5);
  const begin = performance.now();
  for (let tick = 1; performance.now() - begin < ms; tick += 1) {
    for (const socket of sockets) socket.send(packet, port, "127.0.0.1");
    await pause(Math.max(0, begin + tick * 20 - performance.now()));
  }
  for (const socket of sockets) socket.close();
}

/** Runs `bare-streams-thread.ts`, which sends them, in a separate thread as calls have. */
export async function runBareStreams(streams: Streams): Promise<void> {
  await once(
    new Worker(new URL("./bare-streams-thread.ts", import.meta.url), {
      workerData: streams,
      execArgv: ["--disable-warning=ExperimentalWarning"],
    }),
    "exit",
  );
}
