import { pino } from "pino";
import { Registry } from "prom-client";
import { expect, test } from "vitest";
import { createTransportBoard } from "#messaging/index.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { carriedAt, patient, sms } from "#test/support/smpp/carried.ts";
import { ids, startRawSmsc } from "#test/support/smpp/raw-smsc.ts";
import { eventually } from "#test/support/time/eventually.ts";
import { listSmsRoutes, openSms } from "./open-sms.ts";

const { ctx } = await testApp();
const intake = { receipt: async () => "stored" as const, refusal: async () => {}, inbound: async () => {} };

test("without binds there is no transport", async () => {
  expect(await openSms({ ctx, settings: { SMPP_BINDS: null, SMS_HTTP_URL: null }, intake })).toEqual([]);
});

test("what is accepted depends on the numbers that the binds serve, before anything is connected", () => {
  const routes = listSmsRoutes({
    SMPP_BINDS: "smpp://acme:s3cr3t@smsc.example?countries=86,smpps://acme:s3cr3t@other.example?countries=DE",
    SMS_HTTP_URL: "https://AC1:s3cr3t@carrier.example?countries=DE,44",
  });
  const routeNames = ([to, country]: readonly [string, string]) =>
    routes.filter(({ takes }) => takes({ to, country })).map(({ name }) => name);
  const numbers = [
    ["+8613800138000", "CN"],
    ["+4915112345678", "DE"],
    ["+447400123456", "GB"],
    ["+14155552671", "US"],
  ] as const;
  expect(numbers.map(routeNames)).toEqual([["smpp"], ["smpp", "http"], ["http"], []]);
  expect(listSmsRoutes({ SMPP_BINDS: null, SMS_HTTP_URL: null })).toEqual([]);
});

test("with a bind, messages go there, its responses are counted, and nothing shows the password", async () => {
  const lines: string[] = [];
  const smsc = await startRawSmsc((pdu) => pdu.id === ids.submit && pdu.body.includes("refuse") && pdu.answer(0x58));
  const registry = new Registry();
  const board = createTransportBoard(() => carriedAt);
  const [transport] = await openSms({
    ctx: { ...ctx, log: pino({}, { write: (line: string) => void lines.push(line) }), now: () => carriedAt },
    settings: { SMPP_BINDS: `smpp://acme:s3cr3t@127.0.0.1:${smsc.port}?name=main`, SMS_HTTP_URL: null },
    intake,
    registry,
    board,
  });
  await eventually("it bound", () => lines.join("").includes("bound to the carrier"));
  expect(await transport?.send(sms("+15551230001", "Hi"), patient)).toMatchObject({ result: "accepted", provider: "smpp:main" });
  expect(await transport?.send(sms("+15551230001", "refuse"), patient)).toMatchObject({ result: "deferred", code: "throttled" });
  const shown = await registry.metrics();
  expect(shown).toContain('tillpost_smpp_submits_total{bind="main",answer="accepted"} 1');
  expect(shown).toContain('tillpost_smpp_submits_total{bind="main",answer="0x00000058"} 1');
  expect(shown).toContain('tillpost_smpp_submit_seconds_count{bind="main"} 2');
  expect(shown).toContain('tillpost_smpp_window_in_use{bind="main"} 0');
  expect(shown).toContain('tillpost_smpp_bind_up{bind="main"} 1');
  const [reported] = board.take();
  const paused = { paused_until: expect.any(Date), error: "The carrier accepts no more messages right now. (0x00000058)" };
  expect(reported).toMatchObject({
    channel: "sms",
    name: "smpp:main",
    state: "up",
    in_flight: 0,
    capacity: 10,
    handed: 1,
    failed: 1,
    ...paused,
  });
  await transport?.close();
  await smsc.stop();
  expect(lines.join("")).not.toContain("s3cr3t");
});
