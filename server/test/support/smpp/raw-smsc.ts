import { once } from "node:events";
import { type AddressInfo, createServer as createPlain, type Socket } from "node:net";
import { createServer as createTls } from "node:tls";
import { buildPdu } from "./build-pdu.ts";
import { cutPdus } from "./pdus.ts";

export const ids = {
  bind: 0x09,
  submit: 0x04,
  deliver: 0x05,
  unbind: 0x06,
  enquire: 0x15,
  nack: 0x80000000,
  response: 0x80000000,
} as const;

/** A PDU that reached the carrier. */
export interface ReceivedPdu {
  id: number;
  status: number;
  sequence: number;
  body: Buffer;
  socket: Socket;
  /** Responds with the test's own bytes; returns true, which says that it was handled. */
  answer(status?: number, body?: Buffer): true;
}

export const messageId = (id: string) => Buffer.from(`${id}\0`);

/** What a carrier does with a PDU; false leaves it to the default handling. */
export type PduHandler = (pdu: ReceivedPdu) => boolean;

/**
 * A carrier that accepts everything except what a test handles itself. It works on bytes, and shares no code with what is tested. It
 * remembers what it heard, unless that would be too much.
 */
export async function startRawSmsc(onPdu: PduHandler = () => false, given: { key?: string; cert?: string; remembers?: boolean } = {}) {
  const sockets = new Set<Socket>();
  const received: ReceivedPdu[] = [];
  let connections = 0;
  const serve = (socket: Socket): void => {
    connections += 1;
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket)).on("error", () => socket.destroy());
    socket.on(
      "data",
      cutPdus((hex) => {
        const one = readPdu(socket, Buffer.from(hex, "hex"));
        if (given.remembers !== false) received.push(one);
        if (!onPdu(one)) answerUsually(one);
      }),
    );
  };
  const server = given.key === undefined ? createPlain(serve) : createTls(given, serve);
  await once(server.listen(0, "127.0.0.1"), "listening");
  return {
    port: (server.address() as AddressInfo).port,
    received,
    submits: () => received.filter(({ id }) => id === ids.submit),
    connections: () => connections,
    /** Sends bytes on every connection. */
    say(bytes: Buffer) {
      for (const socket of sockets) socket.write(bytes);
    },
    async stop() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}

function readPdu(socket: Socket, bytes: Buffer): ReceivedPdu {
  const [id, status, sequence] = [4, 8, 12].map((at) => bytes.readUInt32BE(at)) as [number, number, number];
  const answer = (how = 0, body = Buffer.alloc(0)): true => {
    socket.write(buildPdu((id | ids.response) >>> 0, [how, sequence], body));
    return true;
  };
  return { id, status, sequence, body: bytes.subarray(16), socket, answer };
}

function answerUsually({ id, sequence, answer }: ReceivedPdu): void {
  if (id === ids.bind) answer(0, messageId("RAW"));
  else if (id === ids.submit) answer(0, messageId(String(sequence)));
  else if (id === ids.enquire || id === ids.unbind) answer();
}
