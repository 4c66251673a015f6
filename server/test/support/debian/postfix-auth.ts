import { createServer } from "node:net";
import { freePort } from "#test/support/network/free-port.ts";

/** Verifies sign-ins for Postfix: Dovecot's protocol, only PLAIN, one user. */
export async function startSignIns(known: { user: string; pass: string }): Promise<{ port: number; stop(): Promise<void> }> {
  const right = Buffer.from(`\0${known.user}\0${known.pass}`).toString("base64");
  const server = createServer((socket) => {
    socket.on("error", () => {}).write("VERSION\t1\t1\nMECH\tPLAIN\tplaintext\nSPID\t1\nCUID\t1\nCOOKIE\t00\nDONE\n");
    socket.on("data", (part) => {
      for (const line of String(part).split("\n")) {
        const [verb, id] = line.split("\t");
        if (verb !== "AUTH") continue;
        socket.write(line.includes(`resp=${right}`) ? `OK\t${id}\tuser=${known.user}\n` : `FAIL\t${id}\tuser=${known.user}\n`);
      }
    });
  });
  const port = await freePort();
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  return { port, stop: () => new Promise((resolve) => server.close(() => resolve())) };
}
