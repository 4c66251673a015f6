import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";

/** How often it is checked that an upload continues. */
const checkMs = 60_000;
/** What must arrive between two checks: a client that sends a byte a second isn't uploading, but holding a connection. */
const bytesMin = 16 * 1024;
/** How long an upload may take in addition to any other request: 5 MB take that long at 6 KB per second. */
const longestMs = 15 * 60_000;

/** With each the number of bytes that had arrived on its connection before the file. */
const uploads = new WeakMap<Socket, { request: IncomingMessage; bytesBefore: number }>();
const continuing = new WeakSet<IncomingMessage>();

/** Notes that a request sends a file, which may take longer than other requests, such as from a phone with a slow connection. */
export function noteUpload(request: IncomingMessage): void {
  uploads.set(request.socket, { request, bytesBefore: request.socket.bytesRead });
}

/**
 * Lets an upload that hasn't arrived within the server's time for requests continue as long as it makes progress; false if the connection
 * isn't receiving one, or hardly any of it. Node may report a request only once, so the rest of its time is watched here. One that is
 * broken off gets no response: pages then see a lost connection, and send it again.
 */
export function continueUpload(socket: Socket): boolean {
  const upload = uploads.get(socket);
  if (upload === undefined || upload.request.complete) return false;
  const { request, bytesBefore } = upload;
  if (continuing.has(request)) return true;
  if (socket.bytesRead - bytesBefore < bytesMin) return false;
  continuing.add(request);
  const checks = watchProgress(socket);
  const latest = setTimeout(() => socket.destroy(), longestMs).unref();
  const stop = () => {
    clearInterval(checks);
    clearTimeout(latest);
  };
  request.once("end", stop).once("close", stop);
  return true;
}

/** Closes the connection when too little arrived between two checks. */
function watchProgress(socket: Socket): NodeJS.Timeout {
  let bytesBefore = socket.bytesRead;
  return setInterval(() => {
    if (socket.bytesRead - bytesBefore < bytesMin) socket.destroy();
    bytesBefore = socket.bytesRead;
  }, checkMs).unref();
}
