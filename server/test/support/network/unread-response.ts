import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import type { FastifyInstance } from "fastify";

/** A response whose client doesn't read it: the server's end, and the client's connection. */
export interface UnreadResponse {
  response: ServerResponse;
  socket: Socket;
}

/** Requests a path of a listening server, on a connection that never reads. */
export async function requestUnread({ server }: Pick<FastifyInstance, "server">, path: string): Promise<UnreadResponse> {
  const { address, port } = server.address() as AddressInfo;
  const requested = once(server, "request") as Promise<[IncomingMessage, ServerResponse]>;
  const socket = connect(port, address).pause();
  // The server may end the connection first.
  socket.on("error", () => {});
  socket.write(`GET ${path} HTTP/1.1\r\nhost: localhost\r\n\r\n`);
  const [, response] = await requested;
  return { response, socket };
}
