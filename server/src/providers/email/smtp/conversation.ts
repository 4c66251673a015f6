import { isIP } from "node:net";
import { Readable } from "node:stream";
import SMTPConnection from "nodemailer/lib/smtp-connection";
import type { Answer, OutgoingEmail } from "#email/index.ts";
import { boundAnswers } from "./bound-answers.ts";
import { announceUtf8, isInternational } from "./international.ts";

/** Time limits for each part of a conversation. */
export interface TalkLimits {
  connectMs: number;
  /** From the connection to the end of greeting, EHLO and TLS. */
  helloMs: number;
  /** Sender, recipient and permission to send the body. */
  envelopeMs: number;
  /**
   * From the first byte of the body to its response; plus half of that for each ten megabytes. Servers may take minutes to process a
   * message.
   */
  bodyMs: number;
}

export const usualLimits: TalkLimits = { connectMs: 20_000, helloMs: 60_000, envelopeMs: 120_000, bodyMs: 600_000 };

/** One server to talk to. */
export interface Peer {
  /** Name or address to connect to. */
  host: string;
  port: number;
  /** Name that its certificate should contain. */
  servername: string;
  /** TLS from the first byte. */
  secure: boolean;
  tls: "none" | "offered" | "required";
  /** Whether the certificate must be valid. */
  verify: boolean;
  /** The name we announce in EHLO. */
  hello: string;
  auth: { user: string; pass: string } | null;
  limits: TalkLimits;
  /** Certificate authorities in addition to the built-in ones. */
  ca?: string[];
}

export type OpenFailure = { kind: "answer"; answer: Answer } | { kind: "unreachable" | "tls"; reason: string };

/** The result of handing over one message. */
export type Exchange =
  | { kind: "accepted"; code: number; text: string }
  | { kind: "answer"; answer: Answer }
  /** The connection ended before any of the body was sent. */
  | { kind: "lost"; reason: string }
  /** The connection ended afterwards: the server may or may not have the message. */
  | { kind: "unknown"; reason: string };

export interface Session {
  /** Messages handed over so far. */
  readonly sent: number;
  readonly isOpen: boolean;
  /** Whether the connection is encrypted. */
  readonly isSecure: boolean;
  send(outgoing: OutgoingEmail, signal: AbortSignal): Promise<Exchange>;
  /** Sends QUIT, or closes the connection if that isn't possible. */
  quit(): void;
  close(): void;
}

interface SmtpError extends Error {
  code?: string;
  originalCode?: string;
  command?: string;
  response?: string;
  responseCode?: number;
}

/** Opens a conversation: connection, greeting, TLS and sign-in. */
export async function openSession(peer: Peer): Promise<{ session: Session } | { failure: OpenFailure }> {
  const connection = new SMTPConnection({
    host: peer.host,
    port: peer.port,
    secure: peer.secure,
    name: peer.hello,
    connectionTimeout: peer.limits.connectMs + peer.limits.helloMs,
    greetingTimeout: peer.limits.helloMs,
    // Each step here has its own timer.
    socketTimeout: peer.limits.bodyMs * 10,
    ignoreTLS: peer.tls === "none",
    requireTLS: peer.tls === "required" && !peer.secure,
    opportunisticTLS: peer.tls === "offered",
    tls: {
      ...(isIP(peer.servername) === 0 ? { servername: peer.servername } : {}),
      rejectUnauthorized: peer.verify,
      ...(peer.ca === undefined ? {} : { ca: peer.ca }),
    },
  });
  // A failure between two steps shows up at the next step, or doesn't matter.
  connection.on("error", () => {});
  const newStep = boundAnswers(connection);
  const failure =
    (await within(peer.limits.connectMs + peer.limits.helloMs, connection, (done) => connection.connect(done))) ??
    (await signIn(connection, peer));
  if (failure !== null) {
    connection.close();
    return { failure: openFailure(failure) };
  }
  return { session: sessionOn(connection, { limits: peer.limits, newStep }) };
}

function signIn(connection: SMTPConnection, { auth, limits }: Peer): Promise<SmtpError | null> {
  if (auth === null) return Promise.resolve(null);
  return within(limits.helloMs, connection, (done) =>
    connection.login({ credentials: auth, ...auth }, (error) => done(error ?? undefined)),
  );
}

/** Runs one step. A connection error or the time limit ends it. */
function within(ms: number, connection: SMTPConnection, step: (done: (error?: Error | null) => void) => void): Promise<SmtpError | null> {
  const { promise, resolve } = Promise.withResolvers<SmtpError | null>();
  const timer = setTimeout(() => resolve(Object.assign(new Error("no answer in time"), { code: "ETIMEDOUT" })), ms);
  const onError = (error: Error) => resolve(error);
  connection.on("error", onError);
  step((error) => resolve((error as SmtpError | undefined) ?? null));
  return promise.finally(() => {
    clearTimeout(timer);
    connection.off("error", onError);
  });
}

function openFailure(error: SmtpError): OpenFailure {
  if (error.code === "EAUTH") return { kind: "answer", answer: answerOf(error, "auth") };
  if (error.responseCode !== undefined)
    return {
      kind: "answer",
      answer: answerOf(error, error.command === "STARTTLS" ? "tls" : error.command === "EHLO" ? "hello" : "greeting"),
    };
  const isTls =
    error.code === "ETLS" ||
    /^(ERR_TLS|ERR_SSL|CERT_|EPROTO|SELF_SIGNED|DEPTH_ZERO|UNABLE_TO|HOSTNAME|ERR_OSSL)/.test(error.originalCode ?? error.code ?? "");
  return { kind: isTls ? "tls" : "unreachable", reason: reasonOf(error) };
}

function sessionOn(connection: SMTPConnection, { limits, newStep }: { limits: TalkLimits; newStep: () => void }): Session {
  let sent = 0;
  // A refusal before the body leaves its transaction open, and the next message would be refused because of it.
  let isHalfDone = false;
  const announce = announceUtf8(connection);
  const inner = connection as unknown as {
    _supportedExtensions: string[];
    _destroyed: boolean;
    _closing: boolean;
    _socket?: { writable: boolean };
  };
  const isOpen = () => !inner._destroyed && !inner._closing && inner._socket?.writable === true;
  return {
    get sent() {
      return sent;
    },
    get isOpen() {
      return isOpen();
    },
    isSecure: connection.secure,
    async send(outgoing, signal) {
      sent += 1;
      newStep();
      const needsUtf8 = isInternational(outgoing);
      announce(needsUtf8);
      if (needsUtf8 && !inner._supportedExtensions.includes("SMTPUTF8")) {
        const text = "the server does not take addresses outside ASCII (SMTPUTF8)";
        return { kind: "answer", answer: { stage: "mail", code: 553, enhanced: "5.6.7", text } };
      }
      const trouble = isHalfDone ? await within(limits.helloMs, connection, (done) => connection.reset((error) => done(error))) : null;
      if (trouble !== null) return { kind: "lost", reason: reasonOf(trouble) };
      const exchanged = await exchange(connection, { outgoing, signal, limits, needsUtf8 });
      isHalfDone = exchanged.kind === "answer" && exchanged.answer.stage !== "body";
      return exchanged;
    },
    quit() {
      if (isOpen()) connection.quit();
      setTimeout(() => connection.close(), 1_000).unref();
    },
    close: () => connection.close(),
  };
}

interface Handing {
  outgoing: OutgoingEmail;
  signal: AbortSignal;
  limits: TalkLimits;
  needsUtf8: boolean;
}

function exchange(connection: SMTPConnection, { outgoing, signal, limits, needsUtf8 }: Handing): Promise<Exchange> {
  const { promise, resolve } = Promise.withResolvers<Exchange>();
  let isBodyOut = false;
  const cut = (reason: string) => {
    resolve({ kind: isBodyOut ? "unknown" : "lost", reason });
    connection.close();
  };
  let timer = setTimeout(() => cut("no answer in time"), limits.envelopeMs);
  const body = new Body(outgoing.raw, () => {
    isBodyOut = true;
    clearTimeout(timer);
    timer = setTimeout(() => cut("no answer to the message in time"), limits.bodyMs * (1 + outgoing.raw.length / 20_000_000));
  });
  const onAbort = () => cut("stopped");
  if (signal.aborted) onAbort();
  else signal.addEventListener("abort", onAbort, { once: true });
  const envelope = { from: outgoing.return_path, to: [outgoing.to], size: outgoing.raw.length, use8BitMime: needsUtf8 };
  connection.send(envelope, body, (error, info) => {
    if (error) resolve(failed(error as SmtpError, isBodyOut));
    else resolve({ kind: "accepted", ...readResponse(info?.response ?? "250") });
  });
  return promise.finally(() => {
    clearTimeout(timer);
    signal.removeEventListener("abort", onAbort);
  });
}

function failed(error: SmtpError, isBodyOut: boolean): Exchange {
  if (error.responseCode !== undefined) {
    const stage = /^MAIL/.test(error.command ?? "") ? "mail" : /^RCPT/.test(error.command ?? "") ? "rcpt" : isBodyOut ? "body" : "data";
    return { kind: "answer", answer: answerOf(error, stage) };
  }
  if (error.code === "EMESSAGE" && error.command === "MAIL FROM") {
    return { kind: "answer", answer: { stage: "mail", code: 552, enhanced: "5.3.4", text: error.message } };
  }
  if (error.code === "EENVELOPE") return { kind: "answer", answer: unsendable(error) };
  return { kind: isBodyOut ? "unknown" : "lost", reason: reasonOf(error) };
}

/**
 * The answer to an address that no command can contain, such as one with an angle bracket in quotes. Without the address: what is written
 * in it would be read as a server's words, and could pause the whole site.
 */
function unsendable({ message }: SmtpError): Answer {
  return message.startsWith("Invalid sender")
    ? { stage: "mail", code: 501, enhanced: "5.1.7", text: "Invalid sender address" }
    : { stage: "rcpt", code: 501, enhanced: "5.1.3", text: "Invalid recipient address" };
}

function answerOf(error: SmtpError, stage: Answer["stage"]): Answer {
  const { code, text } = readResponse(error.response ?? error.message);
  return { stage, code: error.responseCode ?? (code === 0 ? null : code), enhanced: null, text };
}

/** Joins the lines of one response, without the code at the start of each. */
function readResponse(response: string): { code: number; text: string } {
  const text = response
    .replace(/^\d{3}[ -]/gm, "")
    .replace(/\s+/g, " ")
    .trim();
  return { code: Number(/^\d{3}/.exec(response)?.[0] ?? 0), text };
}

function reasonOf(error: SmtpError): string {
  return `${error.originalCode ?? error.code ?? "error"}: ${error.message}`.slice(0, 300);
}

const partBytes = 64 * 1024;

function* partsOf(raw: Buffer): Generator<Buffer> {
  for (let at = 0; at < raw.length; at += partBytes) yield raw.subarray(at, at + partBytes);
}

/** A message body that reports when the server has given permission to send it. */
class Body extends Readable {
  readonly #raw: Buffer;
  readonly #onStart: () => void;

  constructor(raw: Buffer, onStart: () => void) {
    super();
    this.#raw = raw;
    this.#onStart = onStart;
  }

  override pipe<T extends NodeJS.WritableStream>(target: T): T {
    this.#onStart();
    // The body is scanned byte by byte on the way out, so a large message goes in parts as the server accepts them.
    if (this.#raw.length <= partBytes) target.end(this.#raw);
    else Readable.from(partsOf(this.#raw), { objectMode: false, highWaterMark: partBytes }).pipe(target);
    return target;
  }
}
