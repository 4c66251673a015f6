import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { SMTPServer, type SMTPServerDataStream, type SMTPServerOptions } from "smtp-server";
import { readReturnPath, type TakenReport, takeReport } from "#email/index.ts";
import type { Ctx } from "#platform/index.ts";
import { createForwarder, type Forwarder } from "./forward-messages.ts";

export interface BounceHostOptions {
  host: string;
  port: number;
  /**
   * The domain of return addresses; at it, `fbl` receives complaints, and `abuse` and `postmaster` receive messages to the
   * operators. Also the name in the greeting.
   */
  name: string;
  /** PEM texts; null: no encryption. */
  tls: { key: string; cert: string } | null;
  connections?: number;
  connectionsPerAddress?: number;
  /** How long a report waits here for the end of a send in progress, in milliseconds. */
  timeoutMs?: number;
}

/** Receives what comes back: delivery reports and complaints. */
export interface BounceHost {
  port: number;
  /** Accepts no more connections and lets open ones end for a while. */
  stop(): Promise<void>;
}

/** Larger emails are accepted too, as some servers return the whole message; only the beginning, which has the report, is kept. */
const storedBytes = 1_048_576;
const largestBytes = 41_943_040;
const silenceMs = 60_000;
const stopMs = 5_000;
/**
 * A relay that detects immediately that it can't deliver may report that before its own response is stored here: a matter of milliseconds.
 */
const defaultTimeoutMs = 3_000;
const firstLookMs = 25;
/** Returned email never has more: one return address is one recipient. */
const maxRecipients = 5;

/**
 * Receives email to return addresses, which must have our own signature and, if it has an envelope sender, be a report; and the complaints
 * that mailbox providers send to an address they were given. Emails to `postmaster` and `abuse` are forwarded to the operators. Responds
 * with 250 once the content of an email is stored, and 451 if it can't be or its copy is still being sent, so that it is delivered again.
 */
export async function startBounceHost(ctx: Ctx, options: BounceHostOptions): Promise<BounceHost> {
  const perAddress = new Map<string, number>();
  const forwarder = createForwarder(ctx);
  const most = options.connectionsPerAddress ?? 20;
  const server = new SMTPServer({
    ...fixed(options),
    onConnect({ remoteAddress }, done) {
      const open = (perAddress.get(remoteAddress) ?? 0) + 1;
      perAddress.set(remoteAddress, open);
      done(open > most ? refusal(421, "4.7.0 Too many connections from your address") : null);
    },
    onClose({ remoteAddress }) {
      const open = (perAddress.get(remoteAddress) ?? 1) - 1;
      if (open <= 0) perAddress.delete(remoteAddress);
      else perAddress.set(remoteAddress, open);
    },
    onRcptTo: ({ address }, _session, done) => done(rcptFault(ctx, options, address)),
    onData(stream, session, done) {
      const { mailFrom, rcptTo } = session.envelope;
      const from = mailFrom === false || mailFrom.address === "" ? null : mailFrom.address;
      take(ctx, options, { stream, addresses: rcptTo.map(({ address }) => address), from, forwarder }).then(
        () => done(null, "2.0.0 Noted"),
        (error: Error & { responseCode?: number }) => {
          if (error.responseCode === undefined)
            ctx.log.error({ err: error }, "a delivery report couldn't be stored; its sender will retry");
          done(error.responseCode === undefined ? refusal(451, "4.3.0 Try again later") : error);
        },
      );
    },
  });
  server.on("error", (error) => ctx.log.info({ reason: error.message }, "a connection to the bounce host ended with an error"));
  server.listen(options.port, options.host);
  await once(server.server, "listening");
  const { port } = server.server.address() as AddressInfo;
  return { port, stop: () => new Promise((resolve) => server.close(() => resolve())) };
}

function rcptFault(ctx: Ctx, { name }: BounceHostOptions, address: string): Error | null {
  if (isOpenTo(name, address)) return null;
  // A mailbox that never existed here mustn't look like one that was removed.
  if (!/^b\+/i.test(address) && !isHere(name, address))
    return refusal(550, "5.7.1 Relaying denied: this server takes delivery reports only");
  return readReturnPath(ctx.masterKeys, address) === null ? refusal(550, "5.1.1 No such return address") : null;
}

function isHere(name: string, address: string): boolean {
  return address.toLowerCase().endsWith(`@${name.toLowerCase()}`);
}

/** Addresses that anyone may write to: complaints, and the two that every email domain has (RFC 2142). `postmaster` needs no domain. */
function isOpenTo(name: string, address: string): boolean {
  const [local, domain] = address.toLowerCase().split("@");
  return local === "postmaster" && domain === undefined
    ? true
    : /^(fbl|postmaster|abuse)$/.test(local ?? "") && domain === name.toLowerCase();
}

function fixed({ name, tls, connections }: BounceHostOptions): SMTPServerOptions {
  return {
    name,
    banner: "Tillpost takes delivery reports",
    ...(tls ?? {}),
    disabledCommands: tls === null ? ["AUTH", "STARTTLS"] : ["AUTH"],
    authOptional: true,
    disableReverseLookup: true,
    logger: false,
    size: largestBytes,
    maxClients: connections ?? 100,
    maxRecipients,
    socketTimeout: silenceMs,
    closeTimeout: stopMs,
  };
}

interface Incoming {
  stream: SMTPServerDataStream;
  addresses: string[];
  /** null: none was given, as is right for a report. */
  from: string | null;
  forwarder: Forwarder;
}

async function take(ctx: Ctx, options: BounceHostOptions, { stream, addresses, from, forwarder }: Incoming): Promise<void> {
  const raw = await beginningOf(stream);
  for (const address of addresses) {
    const recipient_id = readReturnPath(ctx.masterKeys, address);
    if (recipient_id === null && !isOpenTo(options.name, address)) continue;
    const { says, result, message_id, message } = await takeOnceSent(ctx, options, { recipient_id, raw });
    ctx.log.info(
      { recipient_id, message_id, says, result },
      result === "sending" ? "an email bounced too early; its sender will retry" : "an email bounced",
    );
    // Some servers give a sender for their reports anyway. Nothing is ever sent in response, so there can't be a loop.
    if (recipient_id !== null && from !== null && says === "other")
      throw refusal(550, "5.7.1 Only delivery reports are taken at this address");
    const isForOperators = recipient_id === null && message !== null && from !== null && !/^fbl@/i.test(address);
    if (isForOperators && !(await forwarder.forward({ to: address, from, message })))
      throw refusal(452, "4.2.1 Too many letters this hour; try again later");
    if (result === "sending") throw refusal(451, "4.3.2 The message is still being sent; bring the report again later");
  }
}

/**
 * Checks again at growing intervals while the copy is being sent: most sends end within milliseconds, but a sender only retries after
 * minutes.
 */
async function takeOnceSent(
  ctx: Ctx,
  { timeoutMs = defaultTimeoutMs }: BounceHostOptions,
  mail: { recipient_id: string | null; raw: Buffer },
): Promise<TakenReport> {
  let left = timeoutMs;
  for (let wait = firstLookMs; ; wait *= 2) {
    const taken = await takeReport(ctx, mail);
    if (taken.result !== "sending" || left <= 0) return taken;
    await sleep(Math.min(wait, left));
    left -= wait;
  }
}

async function beginningOf(stream: SMTPServerDataStream): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let received = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    if (received < storedBytes) chunks.push(chunk.subarray(0, storedBytes - received));
    received += chunk.length;
  }
  if (stream.sizeExceeded) throw refusal(552, "5.3.4 Larger than any delivery report");
  return Buffer.concat(chunks);
}

function refusal(responseCode: number, message: string): Error & { responseCode: number } {
  return Object.assign(new Error(message), { responseCode });
}
