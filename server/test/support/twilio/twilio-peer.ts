import { createHmac, randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A request as the carrier received it. */
export interface ReceivedRequest {
  method: string;
  /** What follows `/2010-04-01/Accounts/{sid}`. */
  path: string;
  form: URLSearchParams;
  authorization: string;
}

/** What a carrier sends: to be posted as is. */
export interface SentCallback {
  url: string;
  headers: Record<string, string>;
  body: string;
}

/** How a carrier responds; without `say` it takes the message. */
export type Script = (received: ReceivedRequest, say: Say) => void | Promise<void>;

export interface Say {
  /** With a body in JSON, or the text itself. */
  answer(status: number, body: object | string, headers?: Record<string, string>): void;
  /** An error in Twilio's format. */
  error(status: number, code: number, headers?: Record<string, string>): void;
  /** Takes the message, with other fields in its response. */
  take(more?: object): void;
  /** Takes the message without a response; returns its id. */
  keep(): string;
  /** Ends the connection without a response. */
  hangUp(): void;
}

export interface TwilioPeer {
  accountSid: string;
  /** The setting with its account, with parameters. */
  setting(more?: string): string;
  received: ReceivedRequest[];
  /** Ids of the messages that it took, in order. */
  sids: string[];
  script: Script;
  /** Its report about a message that it took, to the URL that it was given with the message. */
  status(sid: string, status: string, more?: Record<string, string>): SentCallback;
  /** An inbound message, for the URL that its number is set to. */
  inbound(url: string, fields: Record<string, string>): SentCallback;
  /** Anything, signed for a URL. */
  signed(url: string, fields: Record<string, string>): SentCallback;
  stop(): Promise<void>;
}

const root = "/2010-04-01/Accounts/";

/** A carrier on loopback that responds and signs as Twilio's published documents of its Messages API and of webhook security say. */
export async function startTwilio({ accountSid = `AC${"0".repeat(32)}`, authToken = "s3cr3t/t0ken" } = {}): Promise<TwilioPeer> {
  const took = new Map<string, ReceivedRequest>();
  const server = createServer((request, response) => void handle(request, response));
  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    const received = await readReceived(request, `${root}${accountSid}`);
    peer.received.push(received);
    const keep = () => {
      const sid = newSid();
      took.set(sid, received);
      peer.sids.push(sid);
      return sid;
    };
    const say = sayOn({ request, response }, keep, (sid) => resourceOf(accountSid, sid, received));
    if (request.url?.startsWith(`${root}${accountSid}/`) !== true) say.error(404, 20404);
    else if (received.authorization !== `Basic ${Buffer.from(`${accountSid}:${authToken}`).toString("base64")}`) say.error(401, 20003);
    else await peer.script(received, say);
  };
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  const signed = (url: string, fields: Record<string, string>) => callbackOf(url, fields, sign(authToken, url, fields));
  const peer: TwilioPeer = {
    accountSid,
    setting: (more = "name=main") => `http://${accountSid}:${encodeURIComponent(authToken)}@127.0.0.1:${port}?${more}`,
    received: [],
    sids: [],
    script: takes,
    status(sid, status, more = {}) {
      const form = took.get(sid)?.form ?? new URLSearchParams();
      const about = { SmsSid: sid, SmsStatus: status, MessageStatus: status, MessageSid: sid, AccountSid: accountSid };
      const numbers = { To: form.get("To") ?? "", From: form.get("From") ?? "" };
      return signed(form.get("StatusCallback") ?? "", { ...about, ApiVersion: "2010-04-01", ...numbers, ...more });
    },
    inbound(url, fields) {
      return signed(url, { ...inboundFields(), AccountSid: accountSid, ...fields });
    },
    signed,
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
  return peer;
}

/** What every inbound message says, under an id of its own. */
function inboundFields(): Record<string, string> {
  const sid = newSid();
  const places = { ToCountry: "US", ToState: "", FromCountry: "US" };
  const ids = { MessageSid: sid, SmsSid: sid, SmsMessageSid: sid };
  return { ...places, ...ids, SmsStatus: "received", NumMedia: "0", NumSegments: "1", ApiVersion: "2010-04-01" };
}

function newSid(): string {
  return `SM${randomBytes(16).toString("hex")}`;
}

async function readReceived(request: IncomingMessage, prefix: string): Promise<ReceivedRequest> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  const { method = "", url = "", headers } = request;
  const form = new URLSearchParams(Buffer.concat(parts).toString());
  return { method, path: url.replace(prefix, ""), form, authorization: headers.authorization ?? "" };
}

function callbackOf(url: string, fields: Record<string, string>, signature: string): SentCallback {
  const type = "application/x-www-form-urlencoded; charset=utf-8";
  const headers = { "content-type": type, "x-twilio-signature": signature, "user-agent": "TwilioProxy/1.1" };
  return { url, headers, body: new URLSearchParams(fields).toString() };
}

/** Takes every message, and shows an empty list. */
export const takes: Script = ({ method }, say) =>
  method === "POST" ? say.take() : say.answer(200, { messages: [], page: 0, page_size: 1 });

function sayOn(
  { request, response }: { request: IncomingMessage; response: ServerResponse },
  keep: () => string,
  resource: (sid: string) => object,
): Say {
  const answer: Say["answer"] = (status, body, headers = {}) => {
    response.writeHead(status, { "content-type": "application/json", ...headers });
    response.end(typeof body === "string" ? body : JSON.stringify(body));
  };
  return {
    answer,
    error: (status, code, headers) =>
      answer(
        status,
        { code, message: `Twilio's words for ${code}`, more_info: `https://www.twilio.com/docs/errors/${code}`, status },
        headers,
      ),
    take: (more = {}) => answer(201, { ...resource(keep()), ...more }),
    keep,
    hangUp: () => request.socket.destroy(),
  };
}

function resourceOf(account_sid: string, sid: string, { form }: ReceivedRequest): object {
  const named = {
    account_sid,
    sid,
    to: form.get("To"),
    from: form.get("From"),
    body: form.get("Body"),
    messaging_service_sid: form.get("MessagingServiceSid"),
  };
  const open = {
    status: "queued",
    error_code: null,
    error_message: null,
    num_segments: "1",
    num_media: "0",
    price: null,
    price_unit: "USD",
  };
  const date = "Tue, 24 Nov 2026 08:00:00 +0000";
  return {
    ...named,
    ...open,
    api_version: "2010-04-01",
    direction: "outbound-api",
    date_created: date,
    date_updated: date,
    date_sent: null,
  };
}

/** The URL, then each field's name and value in the order of the names; HMAC-SHA1 with the AuthToken, in base64. */
function sign(authToken: string, url: string, fields: Record<string, string>): string {
  let text = url;
  for (const name of Object.keys(fields).sort()) text += name + fields[name];
  return createHmac("sha1", authToken).update(text).digest("base64");
}
