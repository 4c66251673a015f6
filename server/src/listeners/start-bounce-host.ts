import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { SMTPServer, type SMTPServerDataStream, type SMTPServerOptions } from "smtp-server";
import { readReturnPath, takeReport } from "#messaging/index.ts";
import type { Ctx } from "#platform/index.ts";

export interface BounceHostOptions {
  host: string;
  port: number;
  /** The domain of return addresses; `fbl` there takes complaints. Also the name that it greets with. */
  name: string;
  /** PEM texts; null: no encryption is offered. */
  tls: { key: string; cert: string } | null;
  connections?: number;
  connectionsPerAddress?: number;
}

/** Takes in what comes back: delivery reports and complaints. */
export interface BounceHost {
  port: number;
  /** Takes no more connections and lets running ones end for a while. */
  stop(): Promise<void>;
}

/** Larger mails are taken too, as others return the whole message; only their beginning is kept, where the report stands. */
const keptBytes = 1_048_576;
const largestBytes = 41_943_040;
const silenceMs = 60_000;
const stopMs = 5_000;
/** Nothing that comes back has more: one return address is one recipient. */
const mostRecipients = 5;

/**
 * Listens for mail to return addresses, which must come without sender, as reports do, and carry our own signature in the address; and for the
 * complaints that mailbox providers send to an address they were told of. Answers 250 when what a mail says is stored, so that what cannot be
 * stored comes again.
 */
export async function startBounceHost(ctx: Ctx, options: BounceHostOptions): Promise<BounceHost> {
  const perAddress = new Map<string, number>();
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
    onRcptTo: ({ address }, { envelope }, done) =>
      done(rcptFault(ctx, options, { address, isReport: envelope.mailFrom === false || envelope.mailFrom.address === "" })),
    onData(stream, session, done) {
      const addresses = session.envelope.rcptTo.map(({ address }) => address);
      take(ctx, options, { stream, addresses }).then(
        () => done(null, "2.0.0 Noted"),
        (error: Error & { responseCode?: number }) => {
          if (error.responseCode === undefined) ctx.log.error({ err: error }, "a delivery report could not be stored; its sender will bring it again");
          done(error.responseCode === undefined ? refusal(451, "4.3.0 Try again later") : error);
        },
      );
    },
  });
  server.on("error", (error) => ctx.log.info({ reason: error.message }, "a connection to the bounce host ended badly"));
  server.listen(options.port, options.host);
  await once(server.server, "listening");
  const { port } = server.server.address() as AddressInfo;
  return { port, stop: () => new Promise((resolve) => server.close(() => resolve())) };
}

function rcptFault(ctx: Ctx, { name }: BounceHostOptions, { address, isReport }: { address: string; isReport: boolean }): Error | null {
  if (isComplaints(name, address)) return null;
  if (readReturnPath(ctx.masterKeys, address) === null) return refusal(550, "5.1.1 No such return address");
  return isReport ? null : refusal(550, "5.7.1 Only delivery reports are taken at this address");
}

function isComplaints(name: string, address: string): boolean {
  return address.toLowerCase() === `fbl@${name.toLowerCase()}`;
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
    maxRecipients: mostRecipients,
    socketTimeout: silenceMs,
    closeTimeout: stopMs,
  };
}

async function take(ctx: Ctx, { name }: BounceHostOptions, { stream, addresses }: { stream: SMTPServerDataStream; addresses: string[] }): Promise<void> {
  const raw = await beginningOf(stream);
  for (const address of addresses) {
    const recipient_id = readReturnPath(ctx.masterKeys, address);
    if (recipient_id === null && !isComplaints(name, address)) continue;
    const taken = await takeReport(ctx, { recipient_id, raw });
    ctx.log.info({ recipient_id, taken }, "a mail came back");
  }
}

async function beginningOf(stream: SMTPServerDataStream): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let kept = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    if (kept < keptBytes) chunks.push(chunk.subarray(0, keptBytes - kept));
    kept += chunk.length;
  }
  if (stream.sizeExceeded) throw refusal(552, "5.3.4 Larger than any delivery report");
  return Buffer.concat(chunks);
}

function refusal(responseCode: number, message: string): Error & { responseCode: number } {
  return Object.assign(new Error(message), { responseCode });
}
