import type { Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";

/**
 * Disconnects clients that neither send nor read anything for the server's `timeout`. A request that was received completely and is still
 * being processed isn't idle: a picture may wait long for its turn.
 */
export function disconnectIdle(server: Server): void {
  const latest = new WeakMap<Socket, ServerResponse>();
  server.on("request", (request, response) => void latest.set(request.socket, response));
  server.on("timeout", (socket) => {
    const response = latest.get(socket);
    const isProcessed = response?.req.complete === true && !response.headersSent;
    if (!isProcessed) socket.destroy();
  });
}
