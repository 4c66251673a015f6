import { createPrivateKey, createPublicKey } from "node:crypto";

/**
 * A key in PEM whose numbers have the size of an RSA key's but none of its other properties. It is read like any other, and one of many
 * bits takes seconds to sign with.
 */
export function hollowKey(bits: number): { privateKey: string; publicKey: string } {
  const number = (size: number) => integer(Buffer.alloc(size / 8, 0xa5));
  const [half, exponent] = [number(bits / 2), integer(Buffer.from([1, 0, 1]))];
  const der = tagged(
    0x30,
    Buffer.concat([integer(Buffer.from([0])), number(bits), exponent, number(bits), ...Array.from({ length: 5 }, () => half)]),
  );
  const key = createPrivateKey({ key: der, format: "der", type: "pkcs1" });
  return {
    privateKey: key.export({ type: "pkcs8", format: "pem" }).toString(),
    publicKey: createPublicKey(key).export({ type: "spki", format: "pem" }).toString(),
  };
}

function integer(bytes: Buffer): Buffer {
  return tagged(0x02, (bytes[0] ?? 0) >= 0x80 ? Buffer.concat([Buffer.from([0]), bytes]) : bytes);
}

function tagged(tag: number, content: Buffer): Buffer {
  const { length } = content;
  const size = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}
