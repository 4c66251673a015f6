import { parseNameAddress, parseVia } from "./address.ts";
import { HeaderList } from "./header-list.ts";
import { readCSeq, type SipMessage, type SipRequest } from "./message.ts";

export const maxMessageBytes = 65_535;
const maxHeaders = 256;

/** A received message, and for a request the error to respond with. A faulty response is null, because responses get no response. */
export interface Parsed {
  message: SipMessage;
  fault: { status: number; reason: string } | null;
  /** The end of the message, where a stream continues. */
  length: number;
}

const bad = (reason: string) => ({ status: 400, reason });

/** Parses one message. null: it isn't SIP, or is a damaged response. In a stream (`isWhole` false) Content-Length is required. */
export function parseMessage(bytes: Buffer, isWhole = true): Parsed | null {
  if (bytes.length > maxMessageBytes) return null;
  const start = afterBreaks(bytes);
  const end = headerEnd(bytes, start);
  if (end === null) return null;
  const lines = unfold(bytes.toString("utf8", start, end.at));
  const first = parseFirstLine(lines[0] ?? "");
  if (first === null || lines.length > maxHeaders) return null;
  const headers = new HeaderList();
  let fault = first.fault;
  for (const line of lines.slice(1)) {
    const colon = line.indexOf(":");
    const name = colon < 0 ? "" : line.slice(0, colon).trim();
    if (/^[\w.!%*+`'~-]+$/.test(name)) headers.add(name, line.slice(colon + 1).trim());
    else fault ??= bad("Malformed Header");
  }
  const size = bodySize(headers, { rest: bytes.length - end.next, isWhole });
  if ("fault" in size) fault ??= bad(size.fault);
  const bodyEnd = "fault" in size ? bytes.length : end.next + size.bytes;
  const message: SipMessage = { ...first.start, headers, body: bytes.subarray(end.next, bodyEnd) };
  if (message.kind === "request") return { message, fault: fault ?? requestFault(message), length: bodyEnd };
  return fault !== null || headerFault(message) !== null ? null : { message, fault: null, length: bodyEnd };
}

/** Line breaks before a message are keep-alives. */
export function afterBreaks(bytes: Buffer): number {
  let at = 0;
  while (bytes[at] === 13 || bytes[at] === 10) at += 1;
  return at;
}

/** Where the headers end and the body starts. Bare line feeds are accepted as well. */
export function headerEnd(bytes: Buffer, start: number): { at: number; next: number } | null {
  // Line by line: a search for one of the two would read all messages of a chunk that end with the other, for each of them.
  for (let at = bytes.indexOf(10, start); at >= 0; at = bytes.indexOf(10, at + 1)) {
    if (bytes[at + 1] === 10) return { at, next: at + 2 };
    if (at > start && bytes[at - 1] === 13 && bytes[at + 1] === 13 && bytes[at + 2] === 10) return { at: at - 1, next: at + 3 };
  }
  return null;
}

/** A line that starts with a space continues the previous one. */
function unfold(text: string): string[] {
  const lines: string[][] = [];
  for (const line of text.split(/\r?\n/)) {
    if (/^[ \t]/.test(line) && lines.length > 1) lines.at(-1)?.push(line.trim());
    else lines.push([line]);
  }
  return lines.map((parts) => parts.join(" "));
}

type Start = { kind: "request"; method: string; uri: string } | { kind: "response"; status: number; reason: string };

function parseFirstLine(line: string): { start: Start; fault: Parsed["fault"] } | null {
  if (/^SIP\/2\.0 /i.test(line)) {
    const match = /^(\d{3})(?: (.*))?$/.exec(line.slice(8));
    const status = Number(match?.[1] ?? 0);
    return status < 100 || status > 699 ? null : { start: { kind: "response", status, reason: match?.[2] ?? "" }, fault: null };
  }
  const words = line.split(" ");
  const [method = "", uri = ""] = words;
  const version = line.trimEnd().split(" ").at(-1) ?? "";
  if (!/^[\w.!%*+`'~-]{1,64}$/.test(method) || !/^SIP\/\d{1,3}\.\d{1,3}$/i.test(version)) return null;
  const start: Start = { kind: "request", method, uri };
  if (version.toUpperCase() !== "SIP/2.0") return { start, fault: { status: 505, reason: "Version Not Supported" } };
  return { start, fault: words.length !== 3 || uri === "" || /[<>]/.test(uri) ? bad("Malformed Request-Line") : null };
}

/** Bytes after the announced length aren't part of the message; fewer than announced is a fault. */
function bodySize(headers: HeaderList, { rest, isWhole }: { rest: number; isWhole: boolean }): { bytes: number } | { fault: string } {
  const given = headers.rowsOf("content-length");
  if (given.length === 0) return isWhole ? { bytes: rest } : { fault: "Missing Content-Length" };
  if (given.length > 1 || !/^\d{1,8}$/.test(given[0] ?? "")) return { fault: "Bad Content-Length" };
  return Number(given[0]) > rest ? { fault: "Content-Length Mismatch" } : { bytes: Number(given[0]) };
}

const once = ["from", "to", "call-id", "cseq"];

function headerFault(message: SipMessage): string | null {
  const { headers } = message;
  const vias = headers.listOf("via").map(parseVia);
  if (vias.length === 0 || vias.includes(null)) return "Bad Via";
  const repeated = once.find((name) => headers.rowsOf(name).length !== 1);
  if (repeated !== undefined) return `${headers.get(repeated) === null ? "Missing" : "Repeated"} ${repeated}`;
  if (parseNameAddress(headers.get("from") ?? "") === null) return "Bad From";
  if (parseNameAddress(headers.get("to") ?? "") === null) return "Bad To";
  return readCSeq(message) === null ? "Bad CSeq" : null;
}

function requestFault(request: SipRequest): Parsed["fault"] {
  const fault = headerFault(request);
  if (fault !== null) return bad(fault);
  if (readCSeq(request)?.method !== request.method) return bad("CSeq Does Not Match");
  const hops = request.headers.get("max-forwards");
  if (hops !== null && !(/^\d{1,6}$/.test(hops) && Number(hops) <= 255)) return bad("Bad Max-Forwards");
  const expires = request.headers.get("expires");
  if (expires !== null && !(/^\d{1,12}$/.test(expires) && Number(expires) < 2 ** 32)) return bad("Bad Expires");
  // Headers inside a request's address aren't meant for its recipient.
  if (request.uri.includes("?", request.uri.lastIndexOf("@") + 1)) return bad("Headers In Request-URI");
  return null;
}
