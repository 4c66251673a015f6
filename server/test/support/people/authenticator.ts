import { createHash, generateKeyPairSync, randomBytes, sign } from "node:crypto";

const origin = "http://localhost:8080";
const userPresentAndVerified = 0x05;
const withCredential = 0x40;

/** A software authenticator: one passkey of this host, which responds like a browser would. */
export interface Authenticator {
  id: string;
  register(options: Record<string, unknown>, from?: string): Record<string, unknown>;
  answer(options: Record<string, unknown>, from?: string): Record<string, unknown>;
}

/** Its credential's id has this many bytes. */
export function makeAuthenticator(idBytes = 16): Authenticator {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const credentialId = randomBytes(idBytes);
  const id = credentialId.toString("base64url");
  const { x = "", y = "" } = publicKey.export({ format: "jwk" });
  const cose = Buffer.concat([
    Buffer.from("a5010203262001215820", "hex"),
    Buffer.from(x, "base64url"),
    Buffer.from("225820", "hex"),
    Buffer.from(y, "base64url"),
  ]);
  let counter = 0;
  const dataOf = (flags: number, more: Buffer) => {
    counter += 1;
    const head = Buffer.alloc(5);
    head.writeUInt8(flags, 0);
    head.writeUInt32BE(counter, 1);
    return Buffer.concat([createHash("sha256").update("localhost").digest(), head, more]);
  };
  return {
    id,
    register(options, from = origin) {
      const length = uint16(credentialId.length);
      const authData = dataOf(userPresentAndVerified | withCredential, Buffer.concat([Buffer.alloc(16), length, credentialId, cose]));
      // {"fmt": "none", "attStmt": {}, "authData": …} in CBOR.
      const { length: bytes } = authData;
      const size = bytes < 256 ? Buffer.from([0x58, bytes]) : Buffer.concat([Buffer.from([0x59]), uint16(bytes)]);
      const attestation = Buffer.concat([Buffer.from("a363666d74646e6f6e656761747453746d74a0686175746844617461", "hex"), size, authData]);
      const response = {
        clientDataJSON: clientData("webauthn.create", options, from).toString("base64url"),
        attestationObject: attestation.toString("base64url"),
      };
      return { id, rawId: id, type: "public-key", clientExtensionResults: {}, response };
    },
    answer(options, from = origin) {
      const authData = dataOf(userPresentAndVerified, Buffer.alloc(0));
      const client = clientData("webauthn.get", options, from);
      const signature = sign("sha256", Buffer.concat([authData, createHash("sha256").update(client).digest()]), privateKey);
      const response = {
        clientDataJSON: client.toString("base64url"),
        authenticatorData: authData.toString("base64url"),
        signature: signature.toString("base64url"),
      };
      return { id, rawId: id, type: "public-key", clientExtensionResults: {}, response };
    },
  };
}

function uint16(value: number): Buffer {
  return Buffer.from([value >> 8, value & 0xff]);
}

function clientData(type: string, options: Record<string, unknown>, from: string): Buffer {
  return Buffer.from(JSON.stringify({ type, challenge: options["challenge"], origin: from, crossOrigin: false }));
}
