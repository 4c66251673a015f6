import type { CallTransport } from "../transport.ts";
import { reserveLine } from "./reserve-line.ts";

/** Combines several transports into one: a call takes the first one that serves its country, is open and has a free line. */
export function joinTransports(transports: readonly [CallTransport, ...CallTransport[]]): CallTransport {
  const openFor = (country: string) => transports.filter((one) => one.isOpen && one.takes(country));
  return {
    name: transports.map(({ name }) => name).join("+"),
    channels: transports.reduce((sum, { channels }) => sum + channels, 0),
    get isOpen() {
      return transports.some(({ isOpen }) => isOpen);
    },
    takes: (country) => transports.some((one) => one.takes(country)),
    countFree() {
      const counts = new Map(transports.map((one) => [one, one.countFree?.() ?? (() => true)]));
      return (country) => openFor(country).some((one) => counts.get(one)?.(country));
    },
    async reserve(call, signal) {
      for (const transport of openFor(call.country)) {
        const line = await reserveLine(transport, call, signal);
        if (line !== null) return line;
      }
      return null;
    },
    dial: (call, handlers) => (openFor(call.country)[0] ?? transports[0]).dial(call, handlers),
    close: async () => void (await Promise.all(transports.map((one) => one.close()))),
  };
}
