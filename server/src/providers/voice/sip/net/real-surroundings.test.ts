import { expect, test } from "vitest";
import { realSurroundings } from "./real-surroundings.ts";

test.each([0, 65_536])("a packet to port %i is lost, as one to a port where no one listens", async (port) => {
  const socket = await realSurroundings().openUdp({ address: "127.0.0.1", port: 0 });
  try {
    expect(() => socket.send(Buffer.from("x"), { address: "127.0.0.1", port })).not.toThrow();
  } finally {
    socket.close();
  }
});
