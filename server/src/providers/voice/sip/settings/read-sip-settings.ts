import { readFileSync } from "node:fs";
import { isIP } from "node:net";
import type { ListenAt, Transport } from "../net/signalling.ts";
import type { TrunkConfig } from "../trunk/config.ts";
import { parseHostPort } from "../wire/address.ts";
import { readTrunks } from "./read-trunks.ts";

export interface SipSettings {
  trunks: TrunkConfig[];
  listen: ListenAt[];
  publicAddress: string | null;
  rtpPorts: readonly [low: number, high: number];
}

/** The four settings as given; null: not set. */
export interface GivenSipSettings {
  SIP_TRUNKS: string | null;
  SIP_LISTEN: string;
  SIP_PUBLIC_ADDRESS: string | null;
  RTP_PORTS: string;
}

const transports: Readonly<Record<string, Transport>> = { udp: "UDP", tcp: "TCP", tls: "TLS" };

/** What is wrong with `SIP_TRUNKS`, or null. */
export function trunksFault(text: string): string | null {
  return readTrunks(text).faults.join("; ") || null;
}

/** What is wrong with `SIP_LISTEN`, or null. */
export function listenFault(text: string): string | null {
  return readListen(text).faults.join("; ") || null;
}

export function publicAddressFault(text: string): string | null {
  return isIP(text) === 0 ? "must be an IP address" : null;
}

export function rtpPortsFault(text: string): string | null {
  return readPorts(text) === null ? "must be two ports from 1024 to 65535 such as 20000-20999, at least two apart" : null;
}

/** Combines the settings. The functions above report errors of single ones. */
export function readSipSettings(given: GivenSipSettings): { settings: SipSettings; faults: string[] } {
  const { trunks } = readTrunks(given.SIP_TRUNKS ?? "");
  const { listen } = readListen(given.SIP_LISTEN);
  const rtpPorts = readPorts(given.RTP_PORTS) ?? [20_000, 20_999];
  const channels = trunks.reduce((sum, trunk) => sum + trunk.channels, 0);
  const faults = [];
  // A call has two ports, and one that has just ended occupies its ports for a moment longer.
  if ((rtpPorts[1] - rtpPorts[0] + 1) / 2 < channels) {
    faults.push(`RTP_PORTS must have two ports for each of the ${channels} channels of SIP_TRUNKS`);
  }
  if (trunks.some(({ transport }) => transport === "UDP") && !listen.some(({ transport }) => transport === "UDP")) {
    faults.push("SIP_LISTEN must name an address of udp:// when a trunk of SIP_TRUNKS has the transport udp");
  }
  return { settings: { trunks, listen, publicAddress: given.SIP_PUBLIC_ADDRESS, rtpPorts }, faults };
}

function readPorts(text: string): readonly [number, number] | null {
  const match = /^(\d{4,5})-(\d{4,5})$/.exec(text.trim());
  const [low, high] = [Number(match?.[1]), Number(match?.[2])];
  return match !== null && low >= 1_024 && high <= 65_535 && high - low >= 2 ? [low, high] : null;
}

function readListen(text: string): { listen: ListenAt[]; faults: string[] } {
  const faults: string[] = [];
  const listen: ListenAt[] = [];
  for (const part of text.split(",").map((one) => one.trim())) {
    const read = readOne(part);
    if (typeof read === "string") faults.push(read);
    else listen.push(read);
  }
  return { listen, faults };
}

function readOne(part: string): ListenAt | string {
  const url = URL.parse(part);
  const transport = transports[url?.protocol.slice(0, -1) ?? ""];
  const place = parseHostPort(url?.host ?? "");
  if (url === null || transport === undefined || place === null || isIP(place.host) === 0)
    return "must be addresses such as udp://0.0.0.0:5060,tcp://0.0.0.0:5060";
  const at = { transport, address: place.host, port: place.port ?? (transport === "TLS" ? 5061 : 5060) };
  if (transport !== "TLS") return { ...at, tls: null };
  const [cert, key] = ["cert", "key"].map((name) => fileOf(url.searchParams.get(name)));
  if (cert === undefined || key === undefined || cert === null || key === null)
    return "must name readable files for tls:// such as tls://0.0.0.0:5061?cert=/etc/sip.crt&key=/etc/sip.key";
  return { ...at, tls: { cert, key } };
}

function fileOf(path: string | null): string | null {
  try {
    return path === null ? null : readFileSync(path, "utf8");
  } catch {
    return null;
  }
}
