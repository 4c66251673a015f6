import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { afterAll, expect, test } from "vitest";
import { outgoing, patient, stubDns } from "#test/support/mail/mail-peer.ts";
import { mxTo } from "#test/support/mail/mx-transport.ts";

/** A server that says what a script says at each line that it gets, the connection itself being the first. */
async function scripted(script: (line: string, socket: Socket) => void): Promise<number> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    let rest = "";
    socket.on("error", () => {}).on("close", () => sockets.delete(socket));
    socket.on("data", (part) => {
      const lines = (rest + String(part)).split("\r\n");
      rest = lines.pop() ?? "";
      for (const line of lines) script(line, socket);
    });
    script("", socket);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  afterAll(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

/** Writes the same again and again, as fast as it is read, until the other side hangs up. */
function flood(socket: Socket, text: string): void {
  const part = Buffer.from(text.repeat(Math.ceil(65_536 / text.length)));
  const more = () => {
    while (!socket.destroyed && socket.write(part));
  };
  socket.on("drain", more);
  more();
}

const polite: Record<string, string> = { "": "220 mx", EHLO: "250 mx", MAIL: "250 ok", RCPT: "250 ok", DATA: "354 go on", ".": "250 ok" };

test.each([
  ["empty lines in place of a greeting", "", "\n", "deferred"],
  ["lines of blanks in place of a greeting", "", " \r\n", "deferred"],
  ["a greeting that never ends", "", "220-welcome\r\n", "deferred"],
  ["a line that never ends after the hello", "EHLO", "2", "deferred"],
  ["extensions without end", "EHLO", "250-X\r\n", "deferred"],
  ["empty lines after the sender", "MAIL", "\n", "deferred"],
  ["empty lines after the message", ".", "\n", "unknown"],
  ["an answer to the message that never ends", ".", "250-still thinking\r\n", "unknown"],
])("%s end the conversation and use no memory", async (_what, stage, text, result) => {
  const port = await scripted((line, socket) => {
    const verb = line === "." || line === "" ? line : line.slice(0, 4).toUpperCase();
    if (verb === stage) flood(socket, text);
    else if (polite[verb] !== undefined) socket.write(`${polite[verb]}\r\n`);
  });
  const before = process.memoryUsage().rss;
  const outcome = await mxTo(port).send(outgoing({ raw: Buffer.from("Subject: Hi\r\n\r\nHi\r\n") }), patient);
  expect(outcome.result).toBe(result);
  expect(process.memoryUsage().rss - before).toBeLessThan(100_000_000);
});

test("any number of silent addresses aren't waited for one after another", async () => {
  let connections = 0;
  const port = await scripted(() => void (connections += 1));
  const dns = stubDns({ "example.com": { a: ["127.0.0.1", "127.0.0.1", "127.0.0.1", "127.0.0.1"] } });
  const mx = mxTo(port, { dns, limits: { connectMs: 10_000, helloMs: 200 } });
  expect(await mx.send(outgoing(), patient)).toMatchObject({ result: "deferred", until: expect.any(Date) });
  expect(connections).toBe(1);
});
