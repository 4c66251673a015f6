import { connect, createServer, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { createServer as createTlsServer, type TLSSocket } from "node:tls";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { certificate } from "#test/support/network/certificate.ts";
import { freePort } from "#test/support/network/free-port.ts";
import { UserAgent } from "../agent/user-agent.ts";
import { type CallReports, dialWith, trunkOf } from "../testing/dialled.ts";
import { realSurroundings } from "./real-surroundings.ts";

const description = "v=0\r\nc=IN IP4 127.0.0.1\r\nm=audio 9000 RTP/AVP 0\r\n";

/** A trunk that answers each request over the connection it came by; sound is left aside. */
function answer(socket: Socket | TLSSocket, received: string[]): void {
  socket.on("error", () => undefined);
  socket.on("data", (bytes: Buffer) => {
    for (const text of bytes.toString("latin1").split(/(?=(?:INVITE|ACK|BYE) sip:)/)) {
      received.push(text);
      const echoed = text.split("\r\n").filter((line) => /^(Via|From|Call-ID|CSeq):/i.test(line));
      const to = /^To: [^\r]*/m.exec(text)?.[0] ?? "";
      const body = text.startsWith("INVITE") ? description : "";
      const lines = [
        "SIP/2.0 200 OK",
        ...echoed,
        to.includes("tag=") ? to : `${to};tag=p`,
        "Contact: <sip:p@10.255.255.1>",
        "Content-Type: application/sdp",
        `Content-Length: ${body.length}`,
      ];
      if (/^(INVITE|BYE)/.test(text)) socket.write(`${lines.join("\r\n")}\r\n\r\n${body}`);
    }
  });
}

describe.each(["TCP", "TLS"] as const)("over %s", (transport) => {
  let server: Server;
  let agent: UserAgent;
  let port = 0;
  let received: string[] = [];
  const sockets: Socket[] = [];

  async function open(ca: string | undefined): Promise<() => CallReports> {
    const listen = [
      { transport: "UDP" as const, address: "127.0.0.1", port: 0, tls: null },
      { transport: "TCP" as const, address: "127.0.0.1", port: await freePort(), tls: null },
    ];
    const trunk = trunkOf({ host: "127.0.0.1", port, transport });
    agent = new UserAgent(
      realSurroundings(),
      { trunks: [trunk], listen, publicAddress: null, rtpPorts: [24_000, 24_999], recordings: tmpdir(), ca },
      () => undefined,
    );
    await agent.open();
    return () => dialWith(agent);
  }

  beforeEach(async () => {
    received = [];
    const take = (socket: Socket) => {
      sockets.push(socket);
      answer(socket, received);
    };
    server = transport === "TCP" ? createServer(take) : createTlsServer(await certificate(), take);
    await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
    port = (server.address() as { port: number }).port;
  });

  afterEach(async () => {
    await agent.close();
    for (const socket of sockets.splice(0)) socket.destroy();
    await new Promise((resolve) => void server.close(resolve));
  });

  test("a call uses one connection, whatever address the peer believes it has", async () => {
    const reports = (await open((await certificate()).cert))();
    await expect.poll(() => reports.answered.length).toBe(1);
    reports.call.hangUp("caller");
    await expect.poll(() => received.filter((text) => text.startsWith("BYE")).length).toBe(1);
    expect(reports.ends).toMatchObject([{ status: "completed" }]);
    expect(sockets).toHaveLength(1);
    expect(received[0]).toContain(`SIP/2.0/${transport} 127.0.0.1`);
  });

  test("a broken connection is opened again for the next request", async () => {
    const reports = (await open((await certificate()).cert))();
    await expect.poll(() => reports.answered.length).toBe(1);
    await expect.poll(() => received.some((text) => text.startsWith("ACK"))).toBe(true);
    sockets[0]?.destroy();
    await new Promise<void>((resolve) => void sockets[0]?.once("close", () => resolve()));
    reports.call.hangUp("caller");
    await expect.poll(() => received.filter((text) => text.startsWith("BYE")).length).toBeGreaterThan(0);
  });

  test("a missing trunk, or one whose certificate isn't trusted, is unreachable", async () => {
    const call = await open(undefined);
    if (transport === "TCP") {
      for (const socket of sockets.splice(0)) socket.destroy();
      await new Promise((resolve) => void server.close(resolve));
    }
    const reports = call();
    await expect.poll(() => reports.ends.length).toBe(1);
    expect(reports.ends).toMatchObject([{ status: "failed", error: { code: "trunk_unreachable" } }]);
    expect(received).toEqual([]);
  });
});

describe("strangers' connections", () => {
  let agent: UserAgent;
  let port = 0;
  const opened: Socket[] = [];

  function connected(): Socket {
    const socket = connect(port, "127.0.0.1").on("error", () => undefined);
    opened.push(socket);
    return socket;
  }

  async function sendOptions(): Promise<string> {
    const socket = connected();
    const answered = new Promise<string>((resolve, reject) => {
      socket.once("data", (bytes) => resolve(bytes.toString()));
      socket.once("close", () => reject(new Error("closed without an answer")));
    });
    socket.write(
      "OPTIONS sip:a@b SIP/2.0\r\nVia: SIP/2.0/TCP h;branch=z9hG4bK1\r\nFrom: <sip:a@b>;tag=1\r\nTo: <sip:a@b>\r\nCall-ID: c\r\nCSeq: 1 OPTIONS\r\nContent-Length: 0\r\n\r\n",
    );
    return answered;
  }

  beforeEach(async () => {
    port = await freePort();
    const listen = [{ transport: "TCP" as const, address: "127.0.0.1", port, tls: null }];
    const own = { publicAddress: null, rtpPorts: [24_000, 24_999] as const, recordings: tmpdir() };
    agent = new UserAgent(realSurroundings(), { trunks: [], listen, ...own }, () => undefined);
    await agent.open();
  });

  afterEach(async () => {
    for (const socket of opened.splice(0)) socket.destroy();
    await agent.close();
  });

  test("one that sends endlessly is cut off, and others still get responses", async () => {
    const flood = connected();
    const cut = new Promise<void>((resolve) => void flood.on("close", () => resolve()));
    const more = () => {
      if (flood.write("A".repeat(10_000))) setImmediate(more);
      else flood.once("drain", more);
    };
    more();
    await cut;
    expect(await sendOptions()).toContain("SIP/2.0 200 OK");
  });

  test("many silent ones keep no one out", async () => {
    for (let count = 0; count < 260; count += 1) await new Promise<void>((resolve) => void connected().once("connect", () => resolve()));
    expect(await sendOptions()).toContain("SIP/2.0 200 OK");
  });
});
