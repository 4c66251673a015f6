import type { CallTransport } from "../transport.ts";

/** Combines several transports into one: a call takes the first one that serves its country, is open and has a free line. */
export function joinTransports(transports: readonly [CallTransport, ...CallTransport[]]): CallTransport {
  const counted = transports.map(countCalls);
  const first = counted[0] as Counted;
  const choose = (country: string): CallTransport => {
    const fit = counted.filter(({ takes }) => takes(country));
    const open = fit.filter(({ isOpen }) => isOpen);
    return open.find(({ channels, calls }) => calls() < channels) ?? open[0] ?? fit[0] ?? first;
  };
  return {
    name: transports.map(({ name }) => name).join("+"),
    channels: counted.reduce((sum, { channels }) => sum + channels, 0),
    get isOpen() {
      return counted.some(({ isOpen }) => isOpen);
    },
    takes: (country) => counted.some(({ takes }) => takes(country)),
    route: choose,
    dial: (call, handlers) => choose(call.country).dial(call, handlers),
    close: async () => void (await Promise.all(transports.map((one) => one.close()))),
  };
}

interface Counted extends CallTransport {
  calls(): number;
}

/** The transport with a count of its calls in progress. */
function countCalls(transport: CallTransport): Counted {
  let calls = 0;
  return {
    name: transport.name,
    channels: transport.channels,
    get isOpen() {
      return transport.isOpen;
    },
    takes: (country) => transport.takes(country),
    dial(call, handlers) {
      calls += 1;
      return transport.dial(call, {
        ...handlers,
        ended(end, at) {
          calls -= 1;
          handlers.ended(end, at);
        },
      });
    },
    close: () => transport.close(),
    calls: () => calls,
  };
}
