import { realSurroundings } from "../net/real-surroundings.ts";
import type { Place, UdpSocket } from "../net/surroundings.ts";
import { type Ground, mediaOffset } from "./scripted-peer.ts";

/** This machine's loopback, with both ports of a peer open. */
export async function realGround(): Promise<Ground & { at: Place; close(): void }> {
  const around = realSurroundings();
  for (let port = 33_000; ; port += 2) {
    const at = { address: "127.0.0.1", port };
    const signalling = await around.openUdp(at).catch(() => null);
    if (signalling === null) continue;
    const media = await around.openUdp({ ...at, port: port + mediaOffset }).catch(() => null);
    if (media === null) {
      signalling.close();
      continue;
    }
    const listening = (socket: UdpSocket, onMessage: (bytes: Buffer, from: Place) => void) => {
      socket.onMessage(onMessage);
      return socket;
    };
    return {
      at,
      now: around.now,
      after: around.after,
      socket: (place, onMessage) => listening(place.port === port ? signalling : media, onMessage),
      close: () => {
        signalling.close();
        media.close();
      },
    };
  }
}
