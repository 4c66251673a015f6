import { expect, test } from "vitest";
import { readSettings } from "../config.ts";
import { trySpeech } from "../voice/index.ts";
import { type CallProbes, checkCalls } from "./call-checks.ts";

const well: CallProbes = { trunks: async ({ trunks }) => new Map(trunks.map(({ name }) => [name, null])), speech: async () => "fine" };
const trunks = { SIP_TRUNKS: "sip://u:geheim@one.example?name=one,sip://two.example?name=two" };
const look = (env: Record<string, string>, probes: Partial<CallProbes> = {}) => checkCalls(readSettings(env), { ...well, ...probes });

test("trunks that work and a voice have no fault", async () => {
  expect((await look(trunks)).map(({ state }) => state)).toEqual(["fine", "fine", "fine"]);
});

test("if calls leave only over HTTP, a missing voice is a fault, and no trunk is queried", async () => {
  const speech = async () => ({ reason: "espeak-ng is not installed.", fix: "Install it." });
  const found = await look(
    { VOICE_HTTP_URL: "http://AC1:geheim@localhost:1" },
    { trunks: () => Promise.reject(new Error("asked")), speech },
  );
  expect(found.map(({ message }) => message)).toEqual(["texts can't be spoken: espeak-ng is not installed."]);
});

test("without trunks nothing is queried or reported", async () => {
  expect(await look({}, { trunks: () => Promise.reject(new Error("asked")) })).toEqual([]);
});

test.each([
  [
    "a trunk that is away",
    { trunks: async () => new Map([["two", "it doesn't respond"]]) },
    "the trunk two can't be used: it doesn't respond",
  ],
  [
    "an address that is not this machine's",
    { trunks: () => Promise.reject(new Error("bind EADDRNOTAVAIL 192.0.2.1")) },
    "SIP can't listen: bind EADDRNOTAVAIL",
  ],
  [
    "no speech",
    { speech: async () => ({ reason: "espeak-ng is not installed.", fix: "Install it." }) },
    "texts can't be spoken: espeak-ng is not installed.",
  ],
] as [string, Partial<CallProbes>, string][])("%s is a fault, reported without a password", async (_what, probes, words) => {
  const faults = (await look(trunks, probes)).filter(({ state }) => state === "fault");
  expect(faults.map(({ message }) => message)).toEqual([expect.stringContaining(words)]);
  expect(JSON.stringify(faults)).not.toContain("geheim");
});

test("a speech server isn't queried or reported", async () => {
  const findings = await look({ ...trunks, SPEECH: "https://speech.example/say" }, { speech: trySpeech });
  expect(findings).toHaveLength(2);
});
