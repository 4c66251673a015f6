import { once } from "node:events";
import type { AddressInfo, Socket } from "node:net";
import { SMTPServer, type SMTPServerOptions } from "smtp-server";
import { afterAll } from "vitest";
import type { OutgoingEmail } from "#email/index.ts";
import type { MailDns } from "#providers/email/smtp/mx/mail-dns.ts";

export interface ReceivedMail {
  from: string;
  to: string[];
  raw: Buffer;
  secure: boolean;
  /** Its sender's EHLO name. */
  hello: string;
}

/** A mail server that stores what it receives and responds as configured. */
export interface MailPeer {
  port: number;
  mails: ReceivedMail[];
  /** Connections so far. */
  connections(): number;
  /** Cuts every open connection. */
  cut(): void;
}

export interface PeerRules {
  /** Responses by stage: an error is the refusal. */
  onMail?: (from: string) => Error | undefined;
  onRcpt?: (to: string, attempt: number) => Error | undefined;
  /** After the body; may take its time. `socket` is the raw connection. */
  onBody?: (mail: ReceivedMail, socket: Socket) => Promise<Error | string | undefined> | Error | string | undefined;
  server?: Partial<SMTPServerOptions>;
}

/** A response of a mail server. */
export function answer(responseCode: number, text: string): Error {
  return Object.assign(new Error(text), { responseCode });
}

/** A mail server on loopback, closed when the test file ends. */
export async function mailPeer(rules: PeerRules = {}): Promise<MailPeer> {
  const mails: ReceivedMail[] = [];
  const sockets = new Set<Socket>();
  let connections = 0;
  const server = new SMTPServer(serverOptions(rules, { mails, sockets }));
  server.on("error", () => {});
  server.server.on("connection", (socket: Socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on("error", () => {}).on("close", () => sockets.delete(socket));
  });
  server.listen(0, "127.0.0.1");
  await once(server.server, "listening");
  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  afterAll(() => {
    cut();
    server.close();
  });
  return { port: (server.server.address() as AddressInfo).port, mails, connections: () => connections, cut };
}

function serverOptions(rules: PeerRules, { mails, sockets }: { mails: ReceivedMail[]; sockets: Set<Socket> }): SMTPServerOptions {
  const attempts = new Map<string, number>();
  return {
    authOptional: true,
    disableReverseLookup: true,
    disabledCommands: ["STARTTLS"],
    logger: false,
    closeTimeout: 100,
    onMailFrom: ({ address }, _session, done) => done(rules.onMail?.(address)),
    onRcptTo: ({ address }, _session, done) => {
      const attempt = (attempts.get(address) ?? 0) + 1;
      attempts.set(address, attempt);
      done(rules.onRcpt?.(address, attempt));
    },
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", async () => {
        const { mailFrom, rcptTo } = session.envelope;
        const from = mailFrom === false ? "" : mailFrom.address;
        const mail = {
          from,
          to: rcptTo.map((one) => one.address),
          raw: Buffer.concat(chunks),
          secure: session.secure === true,
          hello: session.hostNameAppearsAs,
        };
        mails.push(mail);
        const answer = await rules.onBody?.(mail, [...sockets].find((socket) => socket.remotePort === session.remotePort) as Socket);
        if (answer instanceof Error) done(answer);
        else done(null, answer ?? "2.0.0 Ok: queued");
      });
    },
    ...rules.server,
  };
}

type DnsFault = "ENOTFOUND" | "ENODATA" | "ESERVFAIL" | "ETIMEOUT";
type Zone = Record<string, { mx?: [number, string][] | DnsFault; a?: string[] | DnsFault; txt?: string[] }>;

/** A test's own DNS. A name that isn't in the zone doesn't exist. */
export function stubDns(zone: Zone): MailDns {
  const fault = (code: DnsFault) => Object.assign(new Error(code), { code });
  return {
    async mx(domain) {
      const found = zone[domain];
      if (found === undefined) throw fault("ENOTFOUND");
      if (typeof found.mx === "string") throw fault(found.mx);
      if (found.mx === undefined) throw fault("ENODATA");
      return found.mx.map(([priority, exchange]) => ({ priority, exchange }));
    },
    async addresses(host) {
      const a = zone[host]?.a;
      if (typeof a === "string" && a !== "ENODATA" && a !== "ENOTFOUND") throw fault(a);
      return Array.isArray(a) ? a : [];
    },
    async txt(name) {
      const found = zone[name]?.txt;
      if (found === undefined) throw fault("ENODATA");
      return found;
    },
  };
}

let made = 0;

/** An outgoing message, small and unsigned by default. */
export function outgoing(given: Partial<OutgoingEmail> = {}): OutgoingEmail {
  made += 1;
  const message_id = `<m${made}@acme.example>`;
  return {
    project_id: "prj_1",
    livemode: true,
    email_id: `em_${made}`,
    recipient_id: `emr_${made}`,
    to: "ada@example.com",
    return_path: "b+x@bounce.acme.example",
    raw: Buffer.from(
      `From: hello@acme.example\r\nTo: ada@example.com\r\nSubject: Hi\r\nMessage-ID: ${message_id}\r\n\r\nHi\r\n.\r\n..two\r\n`,
    ),
    message_id,
    attempt: 1,
    previous: { smtp_code: null, enhanced_code: null },
    expires_at: new Date("2026-11-22T08:00:00Z"),
    ...given,
  };
}

/** A signal that never fires. */
export const patient = new AbortController().signal;
