import { connect as connectPlain, isIP, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import { createFrameReader, type Frame } from "../wire/frames.ts";
import { commandOf, decodePdu, encodePdu, type Head, isResponse, type Outgoing, type Pdu, readHead } from "../wire/pdu.ts";

export interface ConnectionOptions {
  host: string;
  port: number;
  tls: boolean;
  /** Certificates to trust in addition to the usual ones. */
  ca?: string[] | undefined;
  connectMs: number;
  /** A request from the carrier; null if its bytes can't be read. */
  onRequest(head: Head, pdu: Pdu | null): void;
  /** Called for any bytes that arrive: the carrier is alive. */
  onReceived(): void;
}

/** A connection that speaks PDUs. */
export interface Connection {
  readonly isOpen: boolean;
  /** Resolves with the reason it ended. Never rejects. */
  readonly ended: Promise<string>;
  /**
   * Sends a request and waits for the response; null if none arrives in time or the connection ends first. `onLate` gets one that arrives
   * later.
   */
  ask(request: Omit<Outgoing, "sequence">, limitMs: number, onLate?: Late): Promise<Pdu | null>;
  answer(response: Outgoing): void;
  destroy(reason: string): void;
}

const lastSequence = 0x7fffffff;
/** Responses that the carrier hasn't read: beyond this limit it isn't reading at all. */
const maxUnsentBytes = 4 * 1_048_576;

/** Requests whose late responses are still recognized; a carrier that owes more never sends them. */
const maxLate = 10_000;

type Settle = (answer: Pdu | null) => void;
type Late = (answer: Pdu) => void;

/** Requests by their sequence: those that wait for a response, and those that no longer do. */
interface Asked {
  pending: Map<number, Settle>;
  late: Map<number, Late>;
}

/** Connects, or throws an error with the reason. */
export async function openConnection(options: ConnectionOptions): Promise<Connection> {
  const socket = await openSocket(options);
  const asked: Asked = { pending: new Map(), late: new Map() };
  const { promise: ended, resolve: end } = Promise.withResolvers<string>();
  const frames = createFrameReader();
  let sequence = 0;
  let isOpen = true;
  const destroy = (reason: string): void => {
    if (!isOpen) return;
    isOpen = false;
    socket.destroy();
    // No response can arrive any more, and waiting callers must know right away.
    for (const settle of [...asked.pending.values()]) settle(null);
    asked.late.clear();
    end(reason);
  };
  const write = (pdu: Outgoing): void => {
    if (socket.writableLength > maxUnsentBytes) destroy("the carrier stopped reading");
    else if (isOpen) socket.write(encodePdu(pdu));
  };
  socket.on("data", (chunk: Buffer) => receive({ frames, asked, options, destroy }, chunk));
  socket.on("error", (error) => destroy(reasonOf(error)));
  socket.on("close", () => destroy("the carrier closed the connection"));
  return {
    get isOpen() {
      return isOpen;
    },
    ended,
    answer: write,
    destroy,
    ask(request, limitMs, onLate) {
      if (!isOpen) return Promise.resolve(null);
      do sequence = sequence === lastSequence ? 1 : sequence + 1;
      while (asked.pending.has(sequence) || asked.late.has(sequence));
      const response = waitFor(asked, { sequence, limitMs, onLate });
      write({ ...request, sequence });
      return response;
    },
  };
}

interface Waiting {
  sequence: number;
  limitMs: number;
  onLate: Late | undefined;
}

function waitFor({ pending, late }: Asked, { sequence, limitMs, onLate }: Waiting): Promise<Pdu | null> {
  const { promise, resolve } = Promise.withResolvers<Pdu | null>();
  const settle: Settle = (answer) => {
    clearTimeout(timer);
    pending.delete(sequence);
    resolve(answer);
  };
  const timer = setTimeout(() => {
    settle(null);
    if (onLate === undefined) return;
    late.set(sequence, onLate);
    const [oldest] = late.keys();
    if (late.size > maxLate && oldest !== undefined) late.delete(oldest);
  }, limitMs);
  pending.set(sequence, settle);
  return promise;
}

interface PduHandler {
  frames: ReturnType<typeof createFrameReader>;
  asked: Asked;
  options: Pick<ConnectionOptions, "onRequest" | "onReceived">;
  destroy(reason: string): void;
}

function receive(handler: PduHandler, chunk: Buffer): void {
  try {
    for (const frame of handler.frames.push(chunk)) hearFrame(handler, frame);
  } catch (error) {
    handler.destroy((error as Error).message);
  }
}

function hearFrame({ asked: { pending, late }, options }: PduHandler, { bytes, isCut }: Frame): void {
  const head = readHead(bytes);
  options.onReceived();
  if (!isResponse(head)) {
    options.onRequest(head, isCut || commandOf(head) === null ? null : decodePdu(bytes));
    return;
  }
  // If the body of a response can't be read, its header still has the status.
  const answer = isCut || commandOf(head) === null ? null : decodePdu(bytes);
  const settle = pending.get(head.sequence) ?? late.get(head.sequence);
  late.delete(head.sequence);
  settle?.(answer ?? bareAnswer(head));
}

function bareAnswer({ status, sequence }: Head): Pdu {
  const nothing = () => undefined;
  return { command: "unreadable", status, sequence, number: nothing, text: nothing, bytes: nothing };
}

function openSocket({ host, port, tls, ca, connectMs }: ConnectionOptions): Promise<Socket> {
  const { promise, resolve, reject } = Promise.withResolvers<Socket>();
  const isHere = /^(localhost|127\.\d+\.\d+\.\d+|::1)$/.test(host);
  const socket = tls
    ? connectTls({
        host,
        port,
        rejectUnauthorized: !isHere || ca !== undefined,
        ...(isIP(host) === 0 ? { servername: host } : {}),
        ...(ca === undefined ? {} : { ca }),
      })
    : connectPlain({ host, port });
  const timer = setTimeout(() => fail(new Error("the connection timed out")), connectMs);
  const fail = (error: Error): void => {
    clearTimeout(timer);
    socket.destroy();
    reject(new Error(reasonOf(error)));
  };
  socket.once("error", fail);
  socket.once(tls ? "secureConnect" : "connect", () => {
    clearTimeout(timer);
    socket.off("error", fail);
    // Otherwise a small PDU waits for the previous one to be acknowledged.
    socket.setNoDelay(true);
    resolve(socket);
  });
  return promise;
}

function reasonOf(error: Error): string {
  const { code } = error as NodeJS.ErrnoException;
  return code === undefined ? error.message : `${code}: ${error.message}`;
}
