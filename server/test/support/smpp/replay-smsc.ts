import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { cutPdus, isEnquiry, sequenceOf, type WirePdu } from "./pdus.ts";
import type { Transcript } from "./transcript.ts";

const enquiryAnswer = "000000108000001500000000";

/**
 * A carrier that repeats another one's recorded bytes, as soon as it has received the bytes that the other one had received. It knows
 * nothing of SMPP except the length of a PDU.
 */
export async function startReplay(transcript: Transcript) {
  const rest = transcript.map((pdus) => [...pdus]);
  const sockets = new Set<Socket>();
  const unexpected: string[] = [];
  const waiting: WirePdu[][] = [];
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket)).on("error", () => socket.destroy());
    const script = rest.shift();
    if (script === undefined) return;
    waiting.push(script);
    play(socket, script, unexpected);
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  return {
    port: (server.address() as AddressInfo).port,
    /** What it received that the transcript doesn't have. */
    unexpected,
    /** What of the transcript hasn't happened yet. */
    left: () => [...rest, ...waiting].flat(),
    async stop() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}

function play(socket: Socket, script: WirePdu[], unexpected: string[]): void {
  const speak = (): void => {
    while (script[0]?.fromCarrier === true) socket.write(Buffer.from(script.shift()?.hex ?? "", "hex"));
    // A connection whose record ends with bytes of ours was ended by the carrier.
    if (script.length === 0) socket.end();
  };
  socket.on(
    "data",
    cutPdus((hex) => {
      if (isEnquiry(hex)) {
        socket.write(Buffer.from(`${enquiryAnswer}${sequenceOf(hex)}`, "hex"));
        return;
      }
      // What both sides send at the same moment may arrive in another order than it did.
      const at = script.findIndex((one) => !one.fromCarrier && one.hex === hex);
      if (at < 0) unexpected.push(hex);
      else script.splice(at, 1);
      speak();
    }),
  );
  speak();
}
