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

test("the own address towards a peer is found, and is an error if there is no route, never an address that reaches no one", async () => {
  const around = realSurroundings();
  expect(await around.localAddressTo({ address: "127.0.0.1", port: 5_060 })).toBe("127.0.0.1");
  // A socket that hasn't asked for it may not send to everyone.
  await expect(around.localAddressTo({ address: "255.255.255.255", port: 5_060 })).rejects.toThrow();
});
