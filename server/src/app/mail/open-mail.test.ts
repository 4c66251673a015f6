import { connect } from "node:net";
import { afterAll, expect, test } from "vitest";
import { testApp } from "#test/support/app/test-app.ts";
import { mailPeer, outgoing, patient } from "#test/support/mail/mail-peer.ts";
import { freePort } from "#test/support/network/free-port.ts";
import { readSettings } from "../config.ts";
import { openMail } from "./open-mail.ts";

const { ctx } = await testApp();

async function opened(env: Record<string, string>) {
  const mail = await openMail({ ctx, settings: readSettings(env) });
  afterAll(async () => {
    await mail.stopListening();
    await mail.close();
  });
  return mail;
}

function greeting(port: number): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    socket
      .once("data", (greeting) => resolve(String(greeting)))
      .once("error", () => resolve(""))
      .once("data", () => socket.destroy());
  });
}

test("without any setting, email stays in the outbox and counts as sent", async () => {
  const { transport } = await opened({});
  expect(transport.name).toBe("outbox");
  expect(await transport.send(outgoing(), patient)).toEqual({ provider: "outbox", result: "accepted", final: false });
});

test("with a relay, email goes there, under the configured name", async () => {
  const names: string[] = [];
  const relay = await mailPeer({
    server: { onMailFrom: (_address, { hostNameAppearsAs }, done) => done(void names.push(String(hostNameAppearsAs)) as unknown as null) },
  });
  const { transport } = await opened({
    EMAIL_TRANSPORT: "relay",
    EMAIL_RELAY_URL: `smtp://127.0.0.1:${relay.port}`,
    EMAIL_HELO: "mail.acme.example",
  });
  expect(await transport.send(outgoing(), patient)).toMatchObject({ result: "accepted", final: false });
  expect([relay.mails.length, names]).toEqual([1, ["mail.acme.example"]]);
});

test("with direct delivery no server inside the network is reached", async () => {
  const { transport } = await opened({ EMAIL_TRANSPORT: "mx" });
  expect(transport.name).toBe("mx");
  expect(await transport.send(outgoing({ to: "ada@[127.0.0.1]" }), patient)).toMatchObject({ result: "refused" });
});

test("with a bounce domain, reports are accepted until it is stopped", async () => {
  const port = await freePort();
  const mail = await opened({
    EMAIL_BOUNCE_DOMAIN: "bounce.acme.example",
    EMAIL_BOUNCE_HOST: "127.0.0.1",
    EMAIL_BOUNCE_PORT: String(port),
  });
  expect(await greeting(port)).toMatch(/^220 bounce\.acme\.example/);
  await mail.stopListening();
  expect(await greeting(port)).toBe("");
});

test("a port that is in use stops nothing else", async () => {
  const other = await mailPeer();
  const mail = await opened({
    EMAIL_BOUNCE_DOMAIN: "bounce.acme.example",
    EMAIL_BOUNCE_HOST: "127.0.0.1",
    EMAIL_BOUNCE_PORT: String(other.port),
  });
  expect(mail.transport.name).toBe("outbox");
});
