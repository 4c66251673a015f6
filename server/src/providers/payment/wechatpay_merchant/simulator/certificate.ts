import { type KeyObject, sign } from "node:crypto";

/** A self-signed certificate as PEM: it has the form of a platform certificate for code that reads its key, its number and its dates. */
export function selfSigned(given: { serial: string; privateKey: KeyObject; publicKey: KeyObject; from: Date; to: Date }): string {
  const { serial, privateKey, publicKey, from, to } = given;
  const name = sequence(tagged(0x31, sequence(commonName, tagged(0x0c, Buffer.from("Tenpay.com sign")))));
  const body = sequence(
    tagged(0xa0, integer(Buffer.from([2]))),
    integer(Buffer.from(serial, "hex")),
    sha256WithRsa,
    name,
    sequence(time(from), time(to)),
    name,
    publicKey.export({ type: "spki", format: "der" }),
  );
  const signature = sign("RSA-SHA256", body, privateKey);
  const der = sequence(body, sha256WithRsa, tagged(0x03, Buffer.concat([Buffer.from([0]), signature])));
  const lines = der.toString("base64").match(/.{1,64}/g) ?? [];
  return `-----BEGIN CERTIFICATE-----\n${lines.join("\n")}\n-----END CERTIFICATE-----\n`;
}

function tagged(tag: number, content: Buffer): Buffer {
  return Buffer.concat([Buffer.from([tag]), lengthOf(content.length), content]);
}

function lengthOf(length: number): Buffer {
  if (length < 0x80) return Buffer.from([length]);
  return length < 0x100 ? Buffer.from([0x81, length]) : Buffer.from([0x82, length >> 8, length & 0xff]);
}

function sequence(...parts: Buffer[]): Buffer {
  return tagged(0x30, Buffer.concat(parts));
}

/** A positive number: a set leading bit would make it negative. */
function integer(bytes: Buffer): Buffer {
  return tagged(0x02, ((bytes[0] ?? 0) & 0x80) === 0 ? bytes : Buffer.concat([Buffer.from([0]), bytes]));
}

/** Years from 2050 on are written with four digits. */
function time(at: Date): Buffer {
  const digits = `${at.toISOString().slice(0, 19).replace(/[-:T]/g, "")}Z`;
  return at.getUTCFullYear() < 2050 ? tagged(0x17, Buffer.from(digits.slice(2))) : tagged(0x18, Buffer.from(digits));
}

const commonName = tagged(0x06, Buffer.from("550403", "hex"));
const sha256WithRsa = sequence(tagged(0x06, Buffer.from("2a864886f70d01010b", "hex")), tagged(0x05, Buffer.alloc(0)));
