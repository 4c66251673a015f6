import { createServer, type Socket } from "node:net";
import { buildDeliver, buildPdu } from "#test/support/smpp/build-pdu.ts";
import { receiptOf } from "#test/support/smpp/receipts.ts";

/** An instruction to the carrier. */
export type SinkOrder =
  /** Responds once `count` messages have arrived since the last such order. */
  | { kind: "until"; count: number }
  /** Sends a report of each of these ids, and responds once all are acknowledged. */
  | { kind: "report"; prefix: string; from: number; to: number };

/** When it was done, by the machine's clock, and how long each took if that was measured. */
export interface SinkDone {
  atMs: number;
  count: number;
  tookMs: number[];
}

const ids = { bind: 0x09, submit: 0x04, deliver: 0x05, unbind: 0x06, enquire: 0x15, response: 0x80000000 } as const;
/** Reports that wait for their acknowledgement concurrently. */
const reportsAtOnce = 100;

interface Reporting {
  next: number;
  order: Extract<SinkOrder, { kind: "report" }>;
  /** By sequence: when it was sent. */
  under: Map<number, number>;
  tookMs: number[];
  again: number[];
}

const state = { count: 0, lastId: 0, wanted: null as number | null, bound: null as Socket | null, reporting: null as Reporting | null };

/** A program: a carrier that accepts everything immediately, as fast as it can. */
process.once("message", () => {
  const server = createServer(serve);
  server.listen(0, "127.0.0.1", () => {
    const address = server.address();
    process.send?.({ port: typeof address === "object" && address !== null ? address.port : 0 });
    process.on("message", obey);
  });
});
process.once("disconnect", () => process.exit(0));

function obey(order: SinkOrder): void {
  if (order.kind === "until") {
    state.wanted = order.count;
    reportCount();
    return;
  }
  state.reporting = { next: order.from, order, under: new Map(), tookMs: [], again: [] };
  bringMore();
}

function reportCount(): void {
  if (state.wanted === null || state.count < state.wanted) return;
  const { count } = state;
  state.wanted = null;
  state.count = 0;
  report({ count, tookMs: [] });
}

function report(done: Omit<SinkDone, "atMs">): void {
  process.send?.({ atMs: performance.timeOrigin + performance.now(), ...done } satisfies SinkDone);
}

function serve(socket: Socket): void {
  let held: Buffer = Buffer.alloc(0);
  socket.setNoDelay(true).on("error", () => socket.destroy());
  socket.on("close", () => {
    if (state.bound === socket) state.bound = null;
  });
  socket.on("data", (chunk: Buffer) => {
    held = held.length === 0 ? chunk : Buffer.concat([held, chunk]);
    const answers: Buffer[] = [];
    let at = 0;
    while (held.length - at >= 16 && held.length - at >= held.readUInt32BE(at)) {
      const length = held.readUInt32BE(at);
      const answer = receive(socket, held.subarray(at, at + length));
      if (answer !== null) answers.push(answer);
      at += length;
    }
    held = held.subarray(at);
    if (answers.length > 0) socket.write(Buffer.concat(answers));
    reportCount();
  });
}

function receive(socket: Socket, pdu: Buffer): Buffer | null {
  const [id, status, sequence] = [pdu.readUInt32BE(4), pdu.readUInt32BE(8), pdu.readUInt32BE(12)];
  const answer = (body?: Buffer) => buildPdu((id | ids.response) >>> 0, [0, sequence], body);
  if (id === ids.submit) {
    state.count += 1;
    state.lastId += 1;
    return answer(Buffer.from(`s${state.lastId}\0`));
  }
  if (id === ids.bind) {
    state.bound = socket;
    setImmediate(bringMore);
    return answer(Buffer.from("SINK\0"));
  }
  if (id === ids.enquire || id === ids.unbind) return answer();
  if (id === (ids.deliver | ids.response) >>> 0) acknowledge(sequence, status);
  return null;
}

function acknowledge(sequence: number, status: number): void {
  const { reporting } = state;
  const began = reporting?.under.get(sequence);
  if (reporting === null || began === undefined) return;
  reporting.under.delete(sequence);
  if (status === 0) reporting.tookMs.push(performance.now() - began);
  else reporting.again.push(sequence);
  bringMore();
}

/** The sequence of a report is its number, counted from 1. */
function bringMore(): void {
  const { reporting, bound } = state;
  if (reporting === null || bound === null) return;
  const { order, under, tookMs, again } = reporting;
  const count = order.to - order.from + 1;
  if (tookMs.length === count) {
    state.reporting = null;
    report({ count, tookMs });
    return;
  }
  while (under.size < reportsAtOnce && (again.length > 0 || reporting.next <= order.to)) {
    const sequence = again.shift() ?? reporting.next++ - order.from + 1;
    const number = sequence + order.from - 1;
    const text = `id:${order.prefix}${number} sub:001 dlvrd:001 submit date:2611241030 done date:2611241031 stat:DELIVRD err:000 text:`;
    under.set(sequence, performance.now());
    bound.write(buildDeliver(receiptOf({ short_message: text }), sequence));
  }
}
