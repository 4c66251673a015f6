import { createSocket } from "node:dgram";
import type { Evenness } from "./even-sound.ts";

const frameMs = 20;
const frameSamples = 160;

/** Listens to `count` packets of one stream. */
function listen(port: number, count: number): Promise<Evenness> {
  const { promise, resolve } = Promise.withResolvers<Evenness>();
  let last: { at: number; timestamp: number } | null = null;
  let differences = 0;
  const gaps: number[] = [];
  const socket = createSocket({ type: "udp4", recvBufferSize: 1_048_576 });
  socket.bind(port, "127.0.0.1");
  socket.on("message", (bytes) => {
    const now = { at: performance.now(), timestamp: bytes.readUInt32BE(4) };
    if (last !== null) {
      differences += Math.abs(now.at - last.at - (((now.timestamp - last.timestamp) >>> 0) / frameSamples) * frameMs);
      gaps.push(Math.abs(now.at - last.at - frameMs));
    }
    last = now;
    if (gaps.length < count) return;
    socket.close();
    gaps.sort((one, other) => one - other);
    resolve({ jitterMs: differences / count, p99Ms: gaps[Math.floor(count * 0.99)] ?? Number.POSITIVE_INFINITY });
  });
  return promise;
}

// A separate program, so that nothing else in the test delays what it measures. Arguments: how many packets, and the ports.
const [, , count = "", ...ports] = process.argv;
process.stdout.write(JSON.stringify(await Promise.all(ports.map((port) => listen(Number(port), Number(count))))));
