import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";

/** An upload that pauses this long was broken off. */
const pauseMs = 60_000;
/** How long an upload may take in addition to any other request: 5 MB take that long at 6 KB per second. */
const longestMs = 15 * 60_000;

const uploads = new WeakMap<Socket, IncomingMessage>();
const continuing = new WeakSet<IncomingMessage>();

/** Notes that a request sends a file, which may take longer than other requests, such as from a phone with a slow connection. */
export function noteUpload(request: IncomingMessage): void {
  uploads.set(request.socket, request);
}

/**
 * Lets an upload that hasn't arrived within the server's time for requests continue as long as bytes arrive; false if the connection isn't
 * receiving one. Node may report a request only once, so the rest of its time is watched here. One that is broken off gets no response:
 * pages then see a lost connection, and send it again.
 */
export function continueUpload(socket: Socket): boolean {
  const request = uploads.get(socket);
  if (request === undefined || request.complete) return false;
  if (continuing.has(request)) return true;
  continuing.add(request);
  const usualMs = socket.timeout ?? 0;
  // Node closes a connection whose timeout no one handles.
  socket.setTimeout(pauseMs);
  const latest = setTimeout(() => socket.destroy(), longestMs).unref();
  request.once("end", () => {
    clearTimeout(latest);
    // Once the response is sent, Node has set its own timeout.
    if (socket.timeout === pauseMs) socket.setTimeout(usualMs);
  });
  request.once("close", () => clearTimeout(latest));
  return true;
}
