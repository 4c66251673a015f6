import { HeaderList } from "./header-list.ts";

export interface SipRequest {
  readonly kind: "request";
  readonly method: string;
  readonly uri: string;
  readonly headers: HeaderList;
  readonly body: Buffer;
}

export interface SipResponse {
  readonly kind: "response";
  readonly status: number;
  readonly reason: string;
  readonly headers: HeaderList;
  readonly body: Buffer;
}

export type SipMessage = SipRequest | SipResponse;

const cased: ReadonlyMap<string, string> = new Map([
  ["call-id", "Call-ID"],
  ["cseq", "CSeq"],
  ["min-se", "Min-SE"],
  ["www-authenticate", "WWW-Authenticate"],
]);

/** `content-type` as `Content-Type`: some peers only recognize names in their usual case. */
function nameOf(name: string): string {
  return cased.get(name) ?? name.replace(/(^|-)[a-z]/g, (start) => start.toUpperCase());
}

/** Encodes a message with its Content-Length. A line break inside a value is written as a space, so that no value becomes a header. */
export function writeMessage(message: SipMessage): Buffer {
  const first = message.kind === "request" ? `${message.method} ${message.uri} SIP/2.0` : `SIP/2.0 ${message.status} ${message.reason}`;
  const rows = message.headers.entries().filter(([name]) => name !== "content-length");
  const lines = [first, ...rows.map(([name, value]) => `${nameOf(name)}: ${value}`), `Content-Length: ${message.body.length}`];
  return Buffer.concat([Buffer.from(`${lines.map((line) => line.replace(/[\r\n]+/g, " ")).join("\r\n")}\r\n\r\n`), message.body]);
}

export interface CSeq {
  number: number;
  method: string;
}

/** null if the number is above 2³² or there is no method. */
export function readCSeq(message: SipMessage): CSeq | null {
  const match = /^(\d{1,30})[ \t]+(\S{1,64})$/.exec(message.headers.get("cseq")?.trim() ?? "");
  const number = Number(match?.[1] ?? Infinity);
  return match?.[2] === undefined || number >= 2 ** 32 ? null : { number, method: match[2] };
}

/** Builds a response to a request with the headers that must be echoed; `tag` is added to a To without one. */
export function answerTo(
  request: SipRequest,
  answer: { status: number; reason: string; tag: string; headers?: [string, string][]; body?: Buffer },
): SipResponse {
  const headers = new HeaderList();
  for (const name of ["via", "record-route"]) for (const row of request.headers.rowsOf(name)) headers.add(name, row);
  for (const name of ["from", "call-id", "cseq"]) headers.add(name, request.headers.get(name) ?? "");
  const to = request.headers.get("to") ?? "";
  headers.add("to", answer.status === 100 || /;\s{0,20}tag\s{0,20}=/i.test(to) ? to : `${to};tag=${answer.tag}`);
  for (const [name, value] of answer.headers ?? []) headers.add(name, value);
  return { kind: "response", status: answer.status, reason: answer.reason, headers, body: answer.body ?? Buffer.alloc(0) };
}
