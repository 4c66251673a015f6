import { isIP } from "node:net";
import { isPort } from "./address.ts";

export type Codec = "PCMU" | "PCMA";
export type Direction = "sendrecv" | "sendonly" | "recvonly" | "inactive";

export interface SrtpKey {
  tag: number;
  /** Key and salt, 30 bytes. */
  key: Buffer;
}

/** One side's audio: where it wants packets and what it accepts. */
export interface AudioOffer {
  address: string;
  port: number;
  /** The codecs that we support, in the writer's order, by payload type. */
  codecs: { type: number; codec: Codec }[];
  /** Payload type of telephone-event at 8000 Hz. */
  events: number | null;
  direction: Direction;
  srtp: SrtpKey | null;
  /** Port of RTCP if it isn't the next one. */
  rtcpPort: number | null;
  /** The offered media lines, and which one this is: an answer must list each. */
  media: { index: number; lines: string[] };
}

export interface OwnAudio {
  address: string;
  port: number;
  codecs: { type: number; codec: Codec }[];
  events: number | null;
  direction: Direction;
  srtp: SrtpKey | null;
  session: { id: string; version: number };
  /** The offer's `m=` lines if this is an answer: other media are refused with port 0. */
  answers?: AudioOffer["media"];
}

const maxLines = 500;

/** The first usable audio of a description; null if there isn't any. */
export function readDescription(body: Buffer): AudioOffer | null {
  const lines = body.toString("utf8").split(/\r?\n/, maxLines);
  const starts = lines.flatMap((line, at) => (line.startsWith("m=") ? [at] : []));
  if (!lines[0]?.startsWith("v=0") || starts.length === 0) return null;
  const own = lines.slice(0, starts[0]);
  const session = { lines: own, address: connectionOf(own) };
  for (const [index, start] of starts.entries()) {
    const audio = readAudio(lines.slice(start, starts[index + 1]), session);
    if (audio !== null) return { ...audio, media: { index, lines: starts.map((at) => lines[at] ?? "") } };
  }
  return null;
}

/** What all media of a description have, unless their own lines say otherwise. */
interface Session {
  lines: string[];
  address: string | null;
}

function readAudio(lines: string[], session: Session): Omit<AudioOffer, "media"> | null {
  const [kind, port = "", profile, ...types] = (lines[0] ?? "").slice(2).trim().split(" ");
  const isSecure = profile === "RTP/SAVP" || profile === "RTP/SAVPF";
  if (kind !== "audio" || !(isSecure || profile === "RTP/AVP" || profile === "RTP/AVPF")) return null;
  const portNumber = Number(/^(\d{1,5})(?:\/1)?$/.exec(port)?.[1] ?? 0);
  const address = connectionOf(lines) ?? session.address;
  if (!isPort(portNumber) || address === null) return null;
  const attributes = lines.filter((line) => line.startsWith("a=")).map((line) => line.slice(2).trim());
  const names = typeNames(attributes);
  const codecs = types.flatMap((text): AudioOffer["codecs"] => {
    const codec = knownCodecs[names.get(text)?.toUpperCase() ?? ""];
    return codec === undefined ? [] : [{ type: Number(text), codec }];
  });
  const events = types.find((text) => names.get(text)?.toLowerCase() === "telephone-event/8000");
  const srtp = isSecure ? (attributes.map(readCrypto).find((one) => one !== null) ?? null) : null;
  if (codecs.length === 0 || (isSecure && srtp === null)) return null;
  const rtcp = Number(attributes.map((one) => /^rtcp:(\d{1,5})\b/.exec(one)?.[1]).find((one) => one !== undefined) ?? 0);
  return {
    address,
    port: portNumber,
    codecs,
    events: events === undefined ? null : Number(events),
    direction:
      address === "0.0.0.0"
        ? "inactive"
        : (directionOf(attributes) ?? directionOf(session.lines.map((line) => line.slice(2))) ?? "sendrecv"),
    srtp,
    rtcpPort: isPort(rtcp) ? rtcp : null,
  };
}

const knownCodecs: Readonly<Record<string, Codec>> = { "PCMU/8000": "PCMU", "PCMA/8000": "PCMA" };

/** Names of payload types; 0 and 8 have theirs without an attribute. */
function typeNames(attributes: string[]): Map<string, string> {
  const names = new Map([
    ["0", "PCMU/8000"],
    ["8", "PCMA/8000"],
  ]);
  for (const attribute of attributes) {
    const match = /^rtpmap:(\d{1,3}) ([\w-]{1,40}\/\d{1,6})(?:\/1)?$/.exec(attribute);
    if (match?.[1] !== undefined && match[2] !== undefined && Number(match[1]) < 128) names.set(match[1], match[2]);
  }
  return names;
}

function connectionOf(lines: string[]): string | null {
  const line = lines.find((one) => one.startsWith("c=IN IP"));
  const address = line?.slice(5).trim().split(" ")[1]?.split("/")[0];
  // A name would need a look-up for each packet; trunks write addresses.
  return address !== undefined && isIP(address) !== 0 ? address : null;
}

function directionOf(attributes: string[]): Direction | null {
  return attributes.map((one) => one.trim()).find((one): one is Direction => /^(sendrecv|sendonly|recvonly|inactive)$/.test(one)) ?? null;
}

function readCrypto(attribute: string): SrtpKey | null {
  const match = /^crypto:(\d{1,9}) AES_CM_128_HMAC_SHA1_80 inline:([A-Za-z0-9+/]{40})(?:={0,2})(?:$|[| ;])/.exec(attribute);
  return match?.[2] === undefined ? null : { tag: Number(match[1]), key: Buffer.from(match[2], "base64") };
}

/** Writes our side as an offer, or as an answer to `answers`. */
export function writeDescription(own: OwnAudio): Buffer {
  const family = own.address.includes(":") ? "IP6" : "IP4";
  const head = [
    "v=0",
    `o=- ${own.session.id} ${own.session.version} IN ${family} ${own.address}`,
    "s=-",
    `c=IN ${family} ${own.address}`,
    "t=0 0",
  ];
  const media =
    own.answers?.lines.flatMap((line, index) => (index === own.answers?.index ? audioLines(own) : refused(line))) ?? audioLines(own);
  return Buffer.from(`${[...head, ...media].join("\r\n")}\r\n`);
}

function refused(line: string): string[] {
  const [kind = "m=audio", , ...rest] = line.trim().split(" ");
  return [[kind, "0", ...rest].join(" ")];
}

function audioLines(own: OwnAudio): string[] {
  const types = [...own.codecs.map(({ type }) => type), ...(own.events === null ? [] : [own.events])];
  return [
    `m=audio ${own.port} ${own.srtp === null ? "RTP/AVP" : "RTP/SAVP"} ${types.join(" ")}`,
    ...own.codecs.map(({ type, codec }) => `a=rtpmap:${type} ${codec}/8000`),
    ...(own.events === null ? [] : [`a=rtpmap:${own.events} telephone-event/8000`, `a=fmtp:${own.events} 0-15`]),
    "a=ptime:20",
    "a=maxptime:40",
    ...(own.srtp === null ? [] : [`a=crypto:${own.srtp.tag} AES_CM_128_HMAC_SHA1_80 inline:${own.srtp.key.toString("base64")}`]),
    `a=${own.direction}`,
  ];
}

/** The direction of our answer: what the other side only sends we only receive. */
export function answeringDirection(offered: Direction): Direction {
  return offered === "sendonly" ? "recvonly" : offered === "recvonly" ? "sendonly" : offered;
}
