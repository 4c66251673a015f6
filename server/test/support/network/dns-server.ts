import { createSocket, type RemoteInfo } from "node:dgram";
import { once } from "node:events";
import type { AddressInfo } from "node:net";

/** An address, or another name that the queried one is an alias of. */
export type DnsAnswer = { address: string } | { alias: string };

/** A name server's response for a name: `null` that it doesn't exist, `"silence"` no response. */
export type DnsZone = (name: string, family: 4 | 6) => DnsAnswer[] | null | "silence";

export interface DnsServer {
  /** In the format of `Resolver.setServers`. */
  address: string;
  /** The queried names, in order. */
  queries: string[];
  close(): Promise<void>;
}

const types = { A: 1, CNAME: 5, AAAA: 28 } as const;

/** A name server on this machine that speaks DNS over UDP and lets no response be cached. */
export async function startDnsServer(zone: DnsZone): Promise<DnsServer> {
  const socket = createSocket("udp4");
  const queries: string[] = [];
  socket.on("message", (query: Buffer, from: RemoteInfo) => {
    const { name, type, end } = readQuestion(query);
    queries.push(name);
    const answers = type === types.A || type === types.AAAA ? zone(name, type === types.A ? 4 : 6) : [];
    if (answers !== "silence") socket.send(reply(query.subarray(0, end), { name, answers }), from.port, from.address);
  });
  socket.bind(0, "127.0.0.1");
  await once(socket, "listening");
  return {
    address: `127.0.0.1:${(socket.address() as AddressInfo).port}`,
    queries,
    close: () => new Promise((resolve) => socket.close(() => resolve())),
  };
}

function readQuestion(query: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = query.readUInt8(at); length > 0; length = query.readUInt8(at)) {
    labels.push(query.toString("latin1", at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join(".").toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 };
}

function reply(question: Buffer, { name, answers }: { name: string; answers: DnsAnswer[] | null }): Buffer {
  const head = Buffer.from(question);
  head.writeUInt16BE(answers === null ? 0x8183 : 0x8180, 2);
  for (const [count, at] of [[1, 4] as const, [answers?.length ?? 0, 6] as const, [0, 8] as const, [0, 10] as const])
    head.writeUInt16BE(count, at);
  let owner = name;
  const records = (answers ?? []).map((answer) => {
    const made = record(owner, answer);
    if ("alias" in answer) owner = answer.alias;
    return made;
  });
  return Buffer.concat([head, ...records]);
}

function record(owner: string, answer: DnsAnswer): Buffer {
  const data = "alias" in answer ? bytesOfName(answer.alias) : bytesOfAddress(answer.address);
  const type = "alias" in answer ? types.CNAME : data.length === 4 ? types.A : types.AAAA;
  const fixed = Buffer.alloc(10);
  fixed.writeUInt16BE(type, 0);
  fixed.writeUInt16BE(1, 2);
  fixed.writeUInt16BE(data.length, 8);
  return Buffer.concat([bytesOfName(owner), fixed, data]);
}

function bytesOfName(name: string): Buffer {
  return Buffer.concat([...name.split(".").map((label) => Buffer.from([label.length, ...Buffer.from(label)])), Buffer.of(0)]);
}

function bytesOfAddress(address: string): Buffer {
  if (!address.includes(":")) return Buffer.from(address.split(".").map(Number));
  const [left = [], right = []] = address.split("::").map((half) => half.split(":").filter((group) => group !== ""));
  const groups = [...left, ...Array.from({ length: 8 - left.length - right.length }, () => "0"), ...right];
  const bytes = Buffer.alloc(16);
  for (const [index, group] of groups.entries()) bytes.writeUInt16BE(Number.parseInt(group, 16), index * 2);
  return bytes;
}
