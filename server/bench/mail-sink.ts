import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { createServer, type Socket } from "node:net";
import { listening } from "../test/listening.ts";
import { freePort } from "../test/program.ts";

/** Takes every mail and keeps none. */
export interface Sink {
  name: string;
  port: number;
  stop(): void;
}

const smtpSink = "/usr/sbin/smtp-sink";

/** Postfix's smtp-sink where it is installed, else a sink of our own in this very process, which costs the sender some of its time. */
export async function openSink(): Promise<Sink> {
  const port = await freePort();
  if (!existsSync(smtpSink)) return ownSink(port);
  const child = spawn(smtpSink, ["-u", "nobody", `127.0.0.1:${port}`, "256"], { stdio: "ignore" });
  await listening(port);
  return { name: "smtp-sink", port, stop: () => void child.kill("SIGTERM") };
}

function ownSink(port: number): Promise<Sink> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    let inBody = false;
    let rest = "";
    socket.on("error", () => {}).on("close", () => sockets.delete(socket));
    socket.on("data", (part) => {
      rest += part.toString("latin1");
      for (;;) {
        const end = rest.indexOf(inBody ? "\r\n.\r\n" : "\r\n");
        if (end < 0) return;
        const line = rest.slice(0, end);
        rest = rest.slice(end + (inBody ? 5 : 2));
        if (inBody || !/^DATA/i.test(line))
          socket.write(/^EHLO/i.test(line) ? "250-sink\r\n250 PIPELINING\r\n" : /^QUIT/i.test(line) ? "221 Bye\r\n" : "250 Ok\r\n");
        else socket.write("354 Go on\r\n");
        inBody = !inBody && /^DATA/i.test(line);
      }
    });
    socket.write("220 sink ESMTP\r\n");
  });
  const stop = () => {
    for (const socket of sockets) socket.destroy();
    server.close();
  };
  return new Promise((resolve) =>
    server.listen(port, "127.0.0.1", () => resolve({ name: "a sink of our own (smtp-sink is not installed: apt-get install postfix)", port, stop })),
  );
}
