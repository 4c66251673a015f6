import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer, type Server } from "node:https";
import type { AddressInfo, Socket } from "node:net";
import { afterAll } from "vitest";
import { eventually } from "#test/support/time/eventually.ts";
import { certificate } from "./certificate.ts";

export interface Received {
  path: string;
  headers: Record<string, string>;
  body: Buffer;
  at: number;
}

/** A merchant's server: stores what it receives, and responds as configured. */
export interface Receiver {
  url: string;
  server: Server;
  received: Received[];
  /** How many requests arrived, stored or not. */
  count(): number;
  /** Resolves once `count` requests have arrived. */
  until(count: number): Promise<Received[]>;
  close(): Promise<void>;
}

export type Reply = (received: Received, response: ServerResponse, request: IncomingMessage) => void;

/** With `keep: false` it only counts what arrived: a million requests don't fit into a test's memory. */
export async function startReceiver(reply: Reply = (_received, response) => response.end("ok"), { keep = true } = {}): Promise<Receiver> {
  const received: Received[] = [];
  let receivedCount = 0;
  const server = createServer({ ...(await certificate()), keepAliveTimeout: 60_000 }, (request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const one = {
        path: request.url ?? "",
        headers: request.headers as Record<string, string>,
        body: Buffer.concat(chunks),
        at: performance.now(),
      };
      receivedCount += 1;
      if (keep) received.push(one);
      reply(one, response, request);
    });
  });
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => sockets.add(socket.once("close", () => sockets.delete(socket))));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const close = async () => {
    // `closeAllConnections` would leave those that are still in their TLS handshake.
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  };
  return {
    url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
    server,
    received,
    count: () => receivedCount,
    close,
    async until(count) {
      await eventually(
        () => `${receivedCount} of ${count} requests came`,
        () => receivedCount >= count,
      );
      return received;
    },
  };
}

/** Like `startReceiver`, closed when the test file ends. */
export async function receiver(reply?: Reply): Promise<Receiver> {
  const started = await startReceiver(reply);
  afterAll(() => started.close());
  return started;
}
