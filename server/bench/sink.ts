import { createServer } from "node:net";

/** A program: an SMTP server that accepts every email and stores none. Reports its port to its parent, and ends with it. */
const server = createServer((socket) => {
  let inBody = false;
  let rest = "";
  socket.setNoDelay(true).on("error", () => {});
  socket.on("data", (part) => {
    rest += part.toString("latin1");
    for (;;) {
      const end = rest.indexOf(inBody ? "\r\n.\r\n" : "\r\n");
      if (end < 0) return;
      const line = rest.slice(0, end);
      rest = rest.slice(end + (inBody ? 5 : 2));
      const begins = !inBody && /^DATA/i.test(line);
      socket.write(begins ? "354 Go on\r\n" : replyTo(inBody ? "" : line));
      inBody = begins;
    }
  });
  socket.write("220 sink ESMTP\r\n");
});

function replyTo(line: string): string {
  if (/^EHLO/i.test(line)) return "250-sink\r\n250 PIPELINING\r\n";
  return /^QUIT/i.test(line) ? "221 Bye\r\n" : "250 Ok\r\n";
}

server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  process.send?.({ port: typeof address === "object" && address !== null ? address.port : 0 });
});
process.once("disconnect", () => process.exit(0));
