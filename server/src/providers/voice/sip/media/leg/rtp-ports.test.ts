import { expect, test } from "vitest";
import { SimulatedWorld } from "../../testing/simulated-world.ts";
import { openPorts } from "./rtp-ports.ts";

const at = { address: "10.0.0.1", range: [20_000, 20_399] as const };

test("the only free pair of a range is found from every start, and none is an error", async () => {
  const world = new SimulatedWorld();
  const around = world.surroundings();
  for (let port = 20_000; port < 20_400; port += 2) {
    // Of some pairs, only the port for RTCP is taken.
    if (port !== 20_246) world.socket({ address: at.address, port: port + (port % 4 === 0 ? 1 : 0) }, () => undefined);
  }
  for (let call = 0; call < 100; call += 1) {
    const { rtp, rtcp } = await openPorts(around, at);
    expect([rtp.port, rtcp.port]).toEqual([20_246, 20_247]);
    rtp.close();
    rtcp.close();
  }
  await openPorts(around, at);
  await expect(openPorts(around, at)).rejects.toThrow("EADDRINUSE");
});
