import type { CallLine, CallTransport, OutgoingCall } from "../transport.ts";
import { reserveLine } from "./reserve-line.ts";

interface Waiting {
  /** Fires when this process must release the call. */
  signal: AbortSignal;
  /** Called with a function that ends the wait, because a hang-up was requested. */
  onWait(hangUp: () => void): void;
}

/** Waits for a call's line. `busy`: none is free soon. `unwanted`: a hang-up was requested. */
export async function takeLine(
  transport: CallTransport,
  call: OutgoingCall,
  { signal, onWait }: Waiting,
): Promise<CallLine | "busy" | "unwanted"> {
  const hangUp = new AbortController();
  onWait(() => hangUp.abort());
  const line = await reserveLine(transport, call, AbortSignal.any([signal, hangUp.signal]));
  return line ?? (hangUp.signal.aborted ? "unwanted" : "busy");
}
