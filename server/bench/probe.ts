import { connect } from "node:net";
import { setPriority } from "node:os";

/** How long one URL takes to respond, requested again and again. */
export interface Probed {
  requests: number;
  p50Ms: number;
  p99Ms: number;
  worstMs: number;
  /** The longest that the prober itself waited for the processor before a request: its measurements may include as much of its own wait. */
  latestMs: number;
}

const everyMs = 5;

/**
 * A program: requests /healthz of a port until stopped, then returns its measurements. In reality the client is on another machine: here it
 * has priority over all others, where it may, so that the time it waits for the processor is not taken for the server's.
 */
process.once("message", ({ port }: { port: number }) => {
  goFirst();
  const tookMs: number[] = [];
  let latestMs = 0;
  let isOver = false;
  const socket = connect(port, "127.0.0.1");
  let started = 0;
  let due = 0;
  const ask = () => {
    if (isOver) return end(tookMs);
    const now = performance.now();
    if (due > 0) latestMs = Math.max(latestMs, now - due);
    started = now;
    socket.write("GET /healthz HTTP/1.1\r\nhost: localhost\r\n\r\n");
  };
  socket.setNoDelay(true);
  socket.once("connect", ask);
  socket.on("data", () => {
    const now = performance.now();
    tookMs.push(now - started);
    due = now + everyMs;
    setTimeout(ask, everyMs);
  });
  process.once("message", () => (isOver = true));
  process.send?.("ready");

  function end(all: number[]): void {
    socket.destroy();
    const sorted = all.toSorted((left, right) => left - right);
    const rounded = (ms: number) => Number(ms.toFixed(2));
    const at = (share: number) => rounded(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0);
    const probed: Probed = { requests: sorted.length, p50Ms: at(0.5), p99Ms: at(0.99), worstMs: at(1), latestMs: rounded(latestMs) };
    process.send?.(probed, () => process.disconnect?.());
  }
});

/** Only the superuser may raise a priority. */
function goFirst(): void {
  try {
    setPriority(-15);
  } catch {
    // Runs with the same priority as all others.
  }
}
