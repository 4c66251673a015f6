import { CallController } from "#providers/voice/sip/agent/call-controller.ts";
import type { StartEngine } from "#providers/voice/sip/agent/start-thread.ts";
import { realSurroundings } from "#providers/voice/sip/net/real-surroundings.ts";
import type { Place, Surroundings } from "#providers/voice/sip/net/surroundings.ts";

export interface Said {
  from: "us" | "peer";
  text: string;
}

/** Runs the calling thread's work in this thread, and records every datagram of its signaling. */
export function recordingEngine(said: Said[], port: number): StartEngine {
  return (options, user) => {
    const around = listening(realSurroundings(), { said, port });
    const desk = new CallController(around, options, (report) => user.report(report));
    void desk.open();
    return { now: around.now, post: (command) => desk.run(command), end: async () => undefined };
  };
}

function listening(around: Surroundings, { said, port }: { said: Said[]; port: number }): Surroundings {
  const openUdp = async (at: Place) => {
    const socket = await around.openUdp(at);
    if (at.port !== port) return socket;
    return {
      ...socket,
      send: (bytes: Buffer, to: Place) => {
        said.push({ from: "us", text: bytes.toString("latin1") });
        socket.send(bytes, to);
      },
      onMessage: (listener: (bytes: Buffer, from: Place) => void) =>
        socket.onMessage((bytes, from) => {
          said.push({ from: "peer", text: bytes.toString("latin1") });
          listener(bytes, from);
        }),
    };
  };
  return { ...around, openUdp };
}
