import { afterAll, expect, test } from "vitest";
import { createEgress } from "#platform/index.ts";
import { startTwilio, takes } from "#test/support/twilio/twilio-peer.ts";
import { readSettings } from "../config.ts";
import { checkCarriers } from "./carrier-checks.ts";

const peer = await startTwilio();
const egress = createEgress({ allow: [], publicUrl: "http://localhost:8080" });
afterAll(async () => {
  await egress.close();
  await peer.stop();
});

const check = (SMS_HTTP_URL: string, PUBLIC_URL = "https://pay.example.com") =>
  checkCarriers({ egress }, readSettings({ SMS_HTTP_URL, PUBLIC_URL }));

test("each account is tried by a request that changes nothing", async () => {
  expect(await check(peer.setting())).toMatchObject([{ state: "fine", message: expect.stringContaining("the carrier main (127.0.0.1:") }]);
  expect(peer.received.map(({ method, path }) => [method, path])).toEqual([["GET", "/Messages.json?PageSize=1"]]);
  expect(await checkCarriers({ egress }, readSettings({}))).toEqual([]);
});

test("an account whose carrier lists more than the one entry that was requested is fine", async () => {
  peer.script = (_received, say) => say.answer(200, { messages: Array.from({ length: 50 }, () => ({ body: "x".repeat(1_600) })) });
  expect(await check(peer.setting())).toMatchObject([{ state: "fine" }]);
  peer.script = takes;
});

test("an account that can't be used is a fault, which says why and shows no token", async () => {
  const gone = await startTwilio();
  await gone.stop();
  const wrong = peer.setting().replace(/:[^:@]+@/, ":wr0ng@");
  const found = await check(`${wrong},${gone.setting("name=gone")},${peer.setting("name=path").replace("?", "/v1?")}`);
  expect(found.map(({ state, message }) => [state, message.replace(/^.*requests: /, "")])).toEqual([
    ["fault", "Twilio's words for 20003 (20003)"],
    ["fault", "it can't be reached"],
    ["fault", "Twilio's words for 20404 (20404)"],
  ]);
  expect(JSON.stringify(found)).not.toMatch(/wr0ng|s3cr3t/);
});

test("a remote carrier can't call back to an address that only this machine reaches", async () => {
  const tried = (url: string) =>
    checkCarriers({ egress }, readSettings({ SMS_HTTP_URL: "https://AC1:t@carrier.example", PUBLIC_URL: url }), async () => ({
      state: "known",
    }));
  expect((await tried("http://localhost:8080")).map(({ state }) => state)).toEqual(["fine", "note"]);
  expect((await tried("https://pay.example.com")).map(({ state }) => state)).toEqual(["fine"]);
});

test("faults of the setting are all reported at the start, without a token", () => {
  const read = () => readSettings({ SMS_HTTP_URL: "https://AC1:s3cr3t@host?window=0,http://AC1:s3cr3t@host?messaging_service=x" });
  expect(read).toThrow(
    /SMS_HTTP_URL can't be used: account 1 needs a window from 1 to 1000; account 2 must be https.*; account 2 needs a messaging_service/,
  );
  expect(read).not.toThrow(/s3cr3t/);
});

test("each account for calls is queried for its list of calls, and one that refuses our requests is a fault", async () => {
  const requests: string[] = [];
  const settings = readSettings({
    VOICE_HTTP_URL: "https://AC1:t@one.example?name=one,https://AC2:t@two.example?name=two",
    PUBLIC_URL: "https://pay.example.com",
  });
  const found = await checkCarriers({ egress }, settings, async ({ name }, list) => {
    requests.push(`${name} ${list}`);
    return name === "one" ? { state: "known" } : { state: "refused", reason: "Authenticate (20003)" };
  });
  expect(requests).toEqual(["one /Calls.json", "two /Calls.json"]);
  expect(found.map(({ check: of, state, message }) => `${of} ${state}: ${message}`)).toEqual([
    "calls fine: the carrier one (one.example) knows our account",
    "calls fault: the carrier two (two.example) doesn't accept our requests: Authenticate (20003)",
  ]);
});
