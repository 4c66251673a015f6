import { connect } from "node:net";

/** How long one address takes to answer, asked again and again. */
export interface Probed {
  asked: number;
  p50Ms: number;
  p99Ms: number;
  worstMs: number;
}

const everyMs = 5;

/** A program: asks /healthz of a port until it is told to stop, then answers what it measured. A process of its own is held up by nobody. */
process.once("message", ({ port }: { port: number }) => {
  const tookMs: number[] = [];
  let isOver = false;
  const socket = connect(port, "127.0.0.1");
  let begun = 0;
  const ask = () => {
    if (isOver) return end(tookMs);
    begun = performance.now();
    socket.write("GET /healthz HTTP/1.1\r\nhost: localhost\r\n\r\n");
  };
  socket.setNoDelay(true);
  socket.once("connect", ask);
  socket.on("data", () => {
    tookMs.push(performance.now() - begun);
    setTimeout(ask, everyMs);
  });
  process.once("message", () => (isOver = true));
  process.send?.("asking");

  function end(all: number[]): void {
    socket.destroy();
    const sorted = all.toSorted((left, right) => left - right);
    const at = (share: number) => Number((sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0).toFixed(2));
    process.send?.({ asked: sorted.length, p50Ms: at(0.5), p99Ms: at(0.99), worstMs: at(1) } satisfies Probed, () => process.disconnect?.());
  }
});
