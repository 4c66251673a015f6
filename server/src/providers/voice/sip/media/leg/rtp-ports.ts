import { chance, type Surroundings, type UdpSocket } from "../../net/surroundings.ts";

export interface PortPair {
  rtp: UdpSocket;
  rtcp: UdpSocket;
}

/**
 * Opens a pair of ports from a range: an even one for RTP, the next for RTCP. A random start makes it hard to guess where a call listens.
 * Fails if every pair is in use.
 */
export async function openPorts(
  around: Surroundings,
  at: { address: string; range: readonly [low: number, high: number] },
): Promise<PortPair> {
  const low = at.range[0] + (at.range[0] % 2);
  const pairs = Math.floor((at.range[1] - low + 1) / 2);
  const start = chance(around, Math.max(pairs, 1));
  let fault: unknown = new Error("RTP_PORTS has no pair of ports");
  for (let count = 0; count < pairs; count += 1) {
    const port = low + 2 * ((start + count) % pairs);
    try {
      const rtp = await around.openUdp({ address: at.address, port });
      try {
        return { rtp, rtcp: await around.openUdp({ address: at.address, port: port + 1 }) };
      } catch (error) {
        rtp.close();
        fault = error;
      }
    } catch (error) {
      fault = error;
    }
  }
  throw fault;
}
