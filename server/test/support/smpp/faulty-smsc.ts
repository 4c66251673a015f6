import type { Socket } from "node:net";
import { buildDeliver } from "./build-pdu.ts";
import { ids, messageId, type ReceivedPdu, startRawSmsc } from "./raw-smsc.ts";
import { receiptOf } from "./receipts.ts";

/** How a carrier treats the last part of a message. */
export type Treatment =
  | "fine"
  | "late"
  | "throttled"
  | "full"
  | "refused"
  | "unanswered"
  | "hung up"
  | "hung up before"
  | "early"
  | "twice"
  | "undelivered";

/** One part of a message as the carrier knows it. */
export interface CarriedPart {
  /** Submissions that weren't turned down: each may have been taken. */
  taken: number;
  turnedDown: number;
  refused: boolean;
  /** Submissions without a response. */
  unanswered: number;
  /** Its report has been acknowledged. */
  reported: "DELIVRD" | "UNDELIV" | null;
  /** When it was submitted last, and by which connection. */
  submitted: { at: number; socket: Socket } | null;
}

export interface FaultySmsc {
  port: number;
  parts: Map<string, CarriedPart>;
  submitted(): number;
  /** Reports that aren't acknowledged yet. */
  owed(): number;
  /** How long after a part's last submission its connection ended; null if it is open. */
  endedAfterMs(part: CarriedPart): number | null;
  /** How many of its connections have ended, on either side. */
  ended(): number;
  /** How often something happened on the way. */
  onTheWay: Map<string, number>;
  stop(): Promise<void>;
}

/** A report that is sent until it is acknowledged. */
interface Report {
  bind: string;
  part: CarriedPart;
  state: "DELIVRD" | "UNDELIV";
  fields: Parameters<typeof buildDeliver>[0];
}

interface State {
  treatmentOf(number: string): Treatment;
  parts: Map<string, CarriedPart>;
  bound: Map<Socket, string>;
  /** By connection: the reports that wait for a response there. */
  brought: Map<Socket, Map<number, Report>>;
  endedAt: WeakMap<Socket, number>;
  ended: number;
  /** Reports whose bind is disconnected. */
  queued: Report[];
  owed: number;
  lastId: number;
  sequence: number;
  submitted: number;
  onTheWay: Map<string, number>;
}

/**
 * A carrier that records what it accepted, and responds, delays, refuses, stays silent, disconnects and reports as configured per number.
 * It accepts one connection per bind.
 */
export async function startFaultySmsc(treatmentOf: (number: string) => Treatment): Promise<FaultySmsc> {
  const counts = { owed: 0, lastId: 10_000_000, sequence: 0, submitted: 0, ended: 0 };
  const connections = { bound: new Map(), brought: new Map(), endedAt: new WeakMap<Socket, number>() };
  const state: State = { treatmentOf, parts: new Map(), ...connections, queued: [], ...counts, onTheWay: new Map() };
  const smsc = await startRawSmsc((pdu) => receive(state, pdu), { remembers: false });
  const { port, stop } = smsc;
  return {
    ...{ port, parts: state.parts, onTheWay: state.onTheWay, stop },
    submitted: () => state.submitted,
    owed: () => state.owed,
    ended: () => state.ended,
    endedAfterMs({ submitted }) {
      const at = submitted === null ? undefined : state.endedAt.get(submitted.socket);
      return submitted === null || at === undefined ? null : at - submitted.at;
    },
  };
}

export const partName = (number: string, part: number) => `${number} ${part}`;

function receive(state: State, pdu: ReceivedPdu): boolean {
  if (pdu.id === ids.bind) return bind(state, pdu);
  if (pdu.id === ids.submit) return submit(state, pdu);
  if (pdu.id === (ids.deliver | ids.response) >>> 0) return acknowledged(state, pdu);
  return false;
}

const alreadyBound = 0x05;

function bind(state: State, { socket, body, answer }: ReceivedPdu): true {
  const name = body.subarray(0, body.indexOf(0)).toString("latin1");
  if ([...state.bound.values()].includes(name)) return answer(alreadyBound);
  state.bound.set(socket, name);
  state.brought.set(socket, new Map());
  socket.on("close", () => {
    state.queued.push(...(state.brought.get(socket)?.values() ?? []));
    state.endedAt.set(socket, performance.now());
    state.ended += 1;
    state.bound.delete(socket);
    state.brought.delete(socket);
  });
  answer(0, messageId("FAULTY"));
  const owed = state.queued.filter((report) => report.bind === name);
  state.queued = state.queued.filter((report) => report.bind !== name);
  for (const report of owed) bring(state, report);
  return true;
}

const negative = { throttled: 0x58, full: 0x14, refused: 0x0b } as const;

function submit(state: State, pdu: ReceivedPdu): true {
  const { number, part, isLast } = readSubmit(pdu.body);
  const name = partName(number, part);
  const known = state.parts.get(name) ?? { taken: 0, turnedDown: 0, refused: false, unanswered: 0, reported: null, submitted: null };
  state.parts.set(name, known);
  state.submitted += 1;
  known.submitted = { at: performance.now(), socket: pdu.socket };
  const treatment = isLast ? state.treatmentOf(number) : "fine";
  note(state, treatment);
  if (treatment === "throttled" || treatment === "full" || treatment === "refused") {
    if (treatment === "refused") known.refused = true;
    // Only temporarily, unless it refuses.
    if (known.refused || known.turnedDown === 0) {
      known.turnedDown += 1;
      return pdu.answer(negative[treatment]);
    }
  }
  known.taken += 1;
  take(state, { pdu, known, number, treatment });
  return true;
}

interface Taking {
  pdu: ReceivedPdu;
  known: CarriedPart;
  number: string;
  treatment: Treatment;
}

function take(state: State, { pdu, known, number, treatment }: Taking): void {
  const bindName = state.bound.get(pdu.socket) ?? "";
  state.lastId += 1;
  const [given, reported] = spell(bindName, state.lastId);
  const done = treatment === "undelivered" ? "UNDELIV" : "DELIVRD";
  const text = `id:${reported} sub:001 dlvrd:001 submit date:2611241030 done date:2611241031 stat:${done} err:000 text:`;
  const report: Report = { bind: bindName, part: known, state: done, fields: receiptOf({ source_addr: number, short_message: text }) };
  const answer = () => pdu.answer(0, messageId(given));
  const owe = (times = 1) => {
    state.owed += times;
    for (let n = 0; n < times; n += 1) bring(state, report);
  };
  switch (treatment) {
    case "unanswered":
    case "hung up":
    case "hung up before":
      known.unanswered += 1;
      if (treatment !== "unanswered") pdu.socket.destroy();
      // The id is unknown here, so it can't be matched.
      if (treatment !== "hung up before") owe();
      return;
    case "early":
      owe();
      setTimeout(answer, 15);
      return;
    case "late":
      setTimeout(answer, 150);
      setTimeout(owe, 160);
      return;
    default:
      answer();
      setTimeout(owe, 5, treatment === "twice" ? 2 : 1);
  }
}

/** An id as a bind returns it, and as its reports spell it. */
function spell(bindName: string, id: number): [given: string, reported: string] {
  if (bindName.endsWith("hex")) return [(0x50_00_00_00 + id).toString(16).toUpperCase(), String(0x50_00_00_00 + id)];
  if (bindName.endsWith("zeros")) return [String(id), String(id).padStart(20, "0")];
  return [`m-${id}-x`, `m-${id}-x`];
}

function bring(state: State, report: Report): void {
  const socket = [...state.bound].find(([one, name]) => name === report.bind && !one.destroyed)?.[0];
  if (socket === undefined) {
    state.queued.push(report);
    return;
  }
  state.sequence += 1;
  state.brought.get(socket)?.set(state.sequence, report);
  socket.write(buildDeliver(report.fields, state.sequence));
}

const againMs = 200;

function acknowledged(state: State, { socket, sequence, status }: ReceivedPdu): true {
  const reports = state.brought.get(socket);
  const report = reports?.get(sequence);
  if (report === undefined) return true;
  reports?.delete(sequence);
  if (status === 0) {
    report.part.reported ??= report.state;
    state.owed -= 1;
  } else {
    note(state, "report asked for again");
    setTimeout(() => bring(state, report), againMs);
  }
  return true;
}

function note({ onTheWay }: State, what: string): void {
  onTheWay.set(what, (onTheWay.get(what) ?? 0) + 1);
}

/** The number that a submit_sm is to, and which part of how many it carries. */
function readSubmit(body: Buffer): { number: string; part: number; isLast: boolean } {
  let at = body.indexOf(0) + 3;
  const skip = () => {
    const from = at;
    at = body.indexOf(0, at) + 1;
    return body.subarray(from, at - 1).toString("latin1");
  };
  skip();
  at += 2;
  const number = skip();
  const hasHeader = ((body[at] ?? 0) & 0x40) !== 0;
  at += 3;
  skip();
  skip();
  const text = body.subarray(at + 5, at + 5 + (body[at + 4] ?? 0));
  if (!hasHeader) return { number, part: 1, isLast: true };
  const [total, part] = [text[4] ?? 1, text[5] ?? 1];
  return { number, part, isLast: part === total };
}
