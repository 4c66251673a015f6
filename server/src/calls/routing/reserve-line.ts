import type { CallLine, CallTransport, OutgoingCall } from "../transport.ts";

/** Reserves a line as `CallTransport.reserve` does; a transport without that method always has one. */
export function reserveLine(transport: CallTransport, call: OutgoingCall, signal: AbortSignal): Promise<CallLine | null> {
  if (transport.reserve !== undefined) return transport.reserve(call, signal);
  const line: CallLine = { name: transport.name, dial: (outgoing, handlers) => transport.dial(outgoing, handlers), release: () => {} };
  return Promise.resolve(line);
}
