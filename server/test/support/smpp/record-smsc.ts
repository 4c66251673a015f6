import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { cutPdus, isEnquiry, type WirePdu } from "./pdus.ts";
import type { Transcript } from "./transcript.ts";

/** A proxy in front of a carrier that records the traffic except keep-alives. */
export async function startRecorder(carrierPort: number) {
  const connections: Transcript = [];
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const pdus: WirePdu[] = [];
    connections.push(pdus);
    const carrier = connect(carrierPort, "127.0.0.1");
    const note = (fromCarrier: boolean) => cutPdus((hex) => void (isEnquiry(hex) || pdus.push({ fromCarrier, hex })));
    const [ours, theirs] = [note(false), note(true)];
    client.on("data", (chunk: Buffer) => {
      ours(chunk);
      carrier.write(chunk);
    });
    carrier.on("data", (chunk: Buffer) => {
      theirs(chunk);
      client.write(chunk);
    });
    for (const [one, other] of [[client, carrier] as const, [carrier, client] as const]) {
      sockets.add(one);
      one.on("error", () => other.destroy());
      one.on("close", () => {
        sockets.delete(one);
        other.end();
      });
    }
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  return {
    port: (server.address() as AddressInfo).port,
    connections,
    async stop() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}
