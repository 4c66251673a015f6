import { closingBracket } from "./brackets.ts";
import { hasBalancedQuotes, parseParams, unquote } from "./scan.ts";

export interface SipUri {
  scheme: string;
  user: string;
  /** Without the brackets of an IPv6 address. */
  host: string;
  port: number | null;
  params: Map<string, string>;
}

/** `"Display" <uri>;params`, or the same without brackets, where parameters are the header's. */
export interface NameAddress {
  display: string;
  uri: string;
  params: Map<string, string>;
}

export interface Via {
  transport: string;
  host: string;
  port: number | null;
  params: Map<string, string>;
}

/** null if it isn't a `sip:` or `sips:` address of a host. */
export function parseUri(text: string): SipUri | null {
  const colon = text.indexOf(":");
  const scheme = text.slice(0, colon).toLowerCase();
  if (scheme !== "sip" && scheme !== "sips") return null;
  const question = text.indexOf("?", text.lastIndexOf("@") + 1);
  const whole = text.slice(colon + 1, question < 0 ? undefined : question);
  // A semicolon before the `@` belongs to the user part.
  const at = whole.lastIndexOf("@");
  const rest = whole.slice(at + 1);
  const semicolon = rest.indexOf(";");
  const place = parseHostPort(semicolon < 0 ? rest : rest.slice(0, semicolon));
  if (place === null) return null;
  return { scheme, user: at < 0 ? "" : whole.slice(0, at), ...place, params: parseParams(semicolon < 0 ? "" : rest.slice(semicolon + 1)) };
}

/** Parses `host`, `host:port` or `[address]:port`; null if it's none of them. */
export function parseHostPort(text: string): { host: string; port: number | null } | null {
  const bracket = text.startsWith("[") ? text.indexOf("]") : -1;
  const host = bracket > 0 ? text.slice(1, bracket) : (text.split(":", 1)[0] ?? "").trim();
  const rest = text.slice(bracket > 0 ? bracket + 1 : text.indexOf(":") < 0 ? text.length : text.indexOf(":")).trim();
  if (host === "" || !/^[\w.:%-]+$/.test(host)) return null;
  if (rest === "") return { host, port: null };
  const port = rest.slice(1).trim();
  if (!rest.startsWith(":") || !/^\d{1,5}$/.test(port) || !isPort(Number(port))) return null;
  return { host, port: Number(port) };
}

/** Whether packets can be sent to a port. Node's sockets throw for 0 and above 65,535. */
export function isPort(port: number): boolean {
  return port >= 1 && port <= 65_535;
}

/** null if quotes or brackets don't close, or there is no address. */
export function parseNameAddress(text: string): NameAddress | null {
  const trimmed = text.trim();
  if (!hasBalancedQuotes(trimmed)) return null;
  const { open, close } = closingBracket(trimmed);
  if (open < 0) {
    const semicolon = trimmed.indexOf(";");
    const uri = (semicolon < 0 ? trimmed : trimmed.slice(0, semicolon)).trim();
    return uri === "" || /\s/.test(uri)
      ? null
      : { display: "", uri, params: parseParams(semicolon < 0 ? "" : trimmed.slice(semicolon + 1)) };
  }
  if (close < 0) return null;
  const uri = trimmed.slice(open + 1, close).trim();
  const after = trimmed.slice(close + 1).trim();
  if (uri === "" || (after !== "" && !after.startsWith(";"))) return null;
  return { display: unquote(trimmed.slice(0, open).trim()), uri, params: parseParams(after.slice(1)) };
}

/** null if it isn't `SIP/2.0/TRANSPORT host[:port];params`; spaces around the slashes are allowed. */
export function parseVia(text: string): Via | null {
  const semicolon = text.indexOf(";");
  const head = (semicolon < 0 ? text : text.slice(0, semicolon)).trim();
  const slashes = head.split("/");
  if (slashes.length !== 3 || slashes[0]?.trim().toUpperCase() !== "SIP" || slashes[1]?.trim() !== "2.0") return null;
  const [transport = "", ...place] = (slashes[2] ?? "").trim().split(/[ \t]+/);
  const sentBy = parseHostPort(place.join(""));
  if (transport === "" || sentBy === null) return null;
  return { transport: transport.toUpperCase(), ...sentBy, params: parseParams(semicolon < 0 ? "" : text.slice(semicolon + 1)) };
}

/** Writes a host as part of an address: IPv6 in brackets. */
export function writeHost(host: string): string {
  return host.includes(":") ? `[${host}]` : host;
}
