import type { Destination } from "#messaging/index.ts";
import type { CallLine, CallTransport } from "../transport.ts";
import { reserveLine } from "./reserve-line.ts";

/**
 * Combines several transports into one: a call takes the first one that serves its number, is open and has a free line. Those that can't
 * carry it right now, such as SIP while its trunks are down, count only if no other one serves its number.
 */
export function joinTransports(transports: readonly [CallTransport, ...CallTransport[]]): CallTransport {
  const openFor = (number: Destination) => {
    const open = transports.filter((one) => one.isOpen && one.takes(number));
    const able = open.filter((one) => one.canCarry?.(number) ?? true);
    return able.length > 0 ? able : open;
  };
  return {
    name: transports.map(({ name }) => name).join("+"),
    channels: transports.reduce((sum, { channels }) => sum + channels, 0),
    get isOpen() {
      return transports.some(({ isOpen }) => isOpen);
    },
    takes: (number) => transports.some((one) => one.takes(number)),
    countFree() {
      const counts = new Map(transports.map((one) => [one, one.countFree?.() ?? (() => true)]));
      return (number) => openFor(number).some((one) => counts.get(one)?.(number));
    },
    async reserve(call, signal) {
      const open = openFor(call);
      const unusable: CallLine[] = [];
      for (const transport of open) {
        const line = await reserveLine(transport, call, signal);
        if (line?.isUnusable === true) unusable.push(line);
        else if (line !== null) {
          for (const one of unusable) one.release();
          return line;
        }
      }
      // While another transport is only full, the call waits for it.
      const first = unusable.length === open.length ? unusable[0] : undefined;
      for (const one of unusable) if (one !== first) one.release();
      return first ?? null;
    },
    dial: (call, handlers) => (openFor(call)[0] ?? transports[0]).dial(call, handlers),
    async findRecording(copy) {
      const carrier = transports.find(({ name }) => copy.provider.startsWith(`${name}:`));
      if (carrier?.findRecording === undefined) throw new Error(`no account is set up for ${copy.provider}`);
      return carrier.findRecording(copy);
    },
    close: async () => void (await Promise.all(transports.map((one) => one.close()))),
  };
}
