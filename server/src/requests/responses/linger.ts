import type { FastifyInstance, FastifyRequest } from "fastify";

/** How much a sender can still send after the response, and for how long. More would help no one. */
const discardedBytesMax = 64 * 1024 * 1024;
const discardedForMs = 10_000;

type Socket = FastifyRequest["raw"]["socket"];

/**
 * Keeps reading a body after its request got a response, usually a refusal, and discards it: closing a connection with over data that
 * unread would make the sender lose the response. Limited in bytes and in time. When the server closes, it waits for none of them.
 */
export function lingerOverBodies(app: FastifyInstance): void {
  const answered = new Set<Socket>();
  let closing = false;
  app.addHook("preClose", (done) => {
    closing = true;
    for (const socket of answered) socket.destroy();
    done();
  });
  app.addHook("onSend", (request, reply, payload, done) => {
    if (request.raw.complete === false && announcesBody(request) && !closing) {
      // Once its body is read to the end, the connection can serve the next request.
      reply.removeHeader("connection");
      reply.raw.once("finish", () => (closing ? request.raw.socket.destroy() : answered.add(request.raw.socket)));
      discardRest(request, () => answered.delete(request.raw.socket));
    }
    done(null, payload);
  });
}

function discardRest({ raw }: FastifyRequest, onEnd: () => void): void {
  const { socket } = raw;
  const release = endOnly(socket);
  const timer = setTimeout(() => socket.destroy(), discardedForMs).unref();
  let bytes = 0;
  const count = (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > discardedBytesMax) socket.destroy();
  };
  const settle = () => {
    clearTimeout(timer);
    raw.off("data", count).off("end", settle);
    socket.off("close", settle);
    onEnd();
    release();
  };
  raw.on("data", count).once("end", settle);
  socket.once("close", settle);
  raw.resume();
}

function announcesBody({ headers }: FastifyRequest): boolean {
  return headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
}

/**
 * When Node would close the connection after the response, it only ends its own half until the sender is done. Returns a function that
 * restores the usual behavior.
 */
function endOnly(socket: Socket): () => void {
  let wanted = false;
  socket.destroySoon = () => {
    wanted = true;
    socket.end();
  };
  return () => {
    Reflect.deleteProperty(socket, "destroySoon");
    if (wanted) socket.destroySoon();
  };
}
