import { CallController } from "#providers/voice/sip/agent/call-controller.ts";
import type { StartEngine } from "#providers/voice/sip/agent/start-thread.ts";
import { realSurroundings } from "#providers/voice/sip/net/real-surroundings.ts";
import type { Place, Surroundings } from "#providers/voice/sip/net/surroundings.ts";

export interface Spoken {
  from: "us" | "peer";
  text: string;
}

/** Runs the calling thread's work in this thread, and records every datagram of its signaling. */
export function recordingEngine(spoken: Spoken[], port: number): StartEngine {
  return (options, user) => {
    const around = listening(realSurroundings(), { spoken, port });
    const controller = new CallController(around, options, (report) => user.report(report));
    void controller.open();
    return { now: around.now, post: (command) => controller.run(command), end: async () => undefined };
  };
}

function listening(around: Surroundings, { spoken, port }: { spoken: Spoken[]; port: number }): Surroundings {
  const openUdp = async (at: Place) => {
    const socket = await around.openUdp(at);
    if (at.port !== port) return socket;
    return {
      ...socket,
      send: (bytes: Buffer, to: Place) => {
        spoken.push({ from: "us", text: bytes.toString("latin1") });
        socket.send(bytes, to);
      },
      onMessage: (listener: (bytes: Buffer, from: Place) => void) =>
        socket.onMessage((bytes, from) => {
          spoken.push({ from: "peer", text: bytes.toString("latin1") });
          listener(bytes, from);
        }),
    };
  };
  return { ...around, openUdp };
}
