import { connect, type Socket } from "node:net";

/** The load generator: a fixed number of connections, each with one request in progress. */
export interface Plan {
  port: number;
  connections: number;
  warmupMs: number;
  measureMs: number;
  method: "GET" | "POST";
  /** Taken in turn. With `once`, no path is used twice, and the run ends when they are used up. */
  paths: string[];
  once: boolean;
  headers: string;
  /** Requests started per second, evenly spread; null for as many as the connections carry. */
  perSecond: number | null;
  /** `{n}` becomes a number that no other request has. */
  body: string;
  /** Headers and body of each path, if they differ. */
  each?: readonly { headers: string; body: string }[];
}

export interface Measured {
  requests: number;
  perSecond: number;
  p50Ms: number;
  p99Ms: number;
  failed: number;
}

interface Run {
  plan: Plan;
  began: number;
  next: number;
  counting: boolean;
  done: boolean;
  failed: number;
  tookMs: number[];
}

/**
 * A program: takes a plan from its parent, runs it, and returns its measurements. As a separate process, it doesn't slow the server's event
 * loop. It ends then, whatever is left of the time that it was given.
 */
process.once("message", (plan: Plan) => {
  void drive(plan).then((measured) => process.send?.(measured, () => process.exit(0)));
});

async function drive(plan: Plan): Promise<Measured> {
  const run: Run = { plan, began: performance.now(), next: 0, counting: false, done: false, failed: 0, tookMs: [] };
  const clients = Array.from({ length: plan.connections }, () => client(run));
  await pause(plan.warmupMs);
  run.counting = true;
  const from = performance.now();
  await Promise.race([pause(plan.measureMs), Promise.all(clients)]);
  const elapsed = performance.now() - from;
  run.done = true;
  const { tookMs } = run;
  await Promise.all(clients);
  const sorted = Float64Array.from(tookMs).sort();
  const at = (share: number) => Number((sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0).toFixed(2));
  return {
    requests: sorted.length,
    perSecond: Math.round((sorted.length / elapsed) * 1000),
    p50Ms: at(0.5),
    p99Ms: at(0.99),
    failed: run.failed,
  };
}

/** One connection: the next request is sent when the last response is complete. */
function client(run: Run): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect(run.plan.port, "127.0.0.1");
    let started = 0;
    let pending = "";
    const send = async () => {
      const due = run.plan.perSecond === null ? null : run.began + (run.next * 1000) / run.plan.perSecond;
      const request = run.done ? null : nextRequest(run);
      if (request === null) return void socket.end();
      const early = due === null ? 0 : due - performance.now();
      if (early > 0) await pause(early);
      // A request that waited because every connection was busy counts from when it was due.
      started = due === null || early > 0 ? performance.now() : due;
      socket.write(request);
    };
    socket.setNoDelay(true).setEncoding("latin1");
    socket.once("connect", () => void send());
    socket.on("data", (text: string) => {
      pending = pending === "" ? text : pending + text;
      const status = completeStatus(pending);
      if (status === null) return;
      pending = "";
      if (run.counting && !run.done) run.tookMs.push(performance.now() - started);
      if (status >= 300) run.failed += 1;
      void send();
    });
    finish(socket, resolve);
  });
}

function finish(socket: Socket, resolve: () => void): void {
  socket.on("error", () => socket.destroy());
  socket.once("close", () => resolve());
}

function nextRequest(run: Run): string | null {
  const { plan } = run;
  const number = run.next;
  run.next += 1;
  if (plan.once && number >= plan.paths.length) return null;
  const path = plan.paths[number % plan.paths.length];
  const own = plan.each?.[number % plan.paths.length] ?? plan;
  const body = own.body.replace("{n}", `${process.pid}-${number}`);
  const key = own.headers.replace("{n}", `${process.pid}-${number}`);
  const length = plan.method === "POST" ? `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n` : "";
  return `${plan.method} ${path} HTTP/1.1\r\nhost: localhost\r\n${key}${length}\r\n${plan.method === "POST" ? body : ""}`;
}

/** The status of a complete response, else null. */
function completeStatus(text: string): number | null {
  const end = text.indexOf("\r\n\r\n");
  if (end === -1) return null;
  const length = /content-length: (\d+)/i.exec(text.slice(0, end))?.[1];
  return text.length >= end + 4 + Number(length ?? 0) ? Number(text.slice(9, 12)) : null;
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
