import { mkdtemp, readdir, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Registry } from "prom-client";
import { expect, test } from "vitest";
import type { Ctx } from "#platform/index.ts";
import { freePort } from "#test/support/network/free-port.ts";
import { readSettings } from "../config.ts";
import { countVoiceRequests, measureVoiceAccounts } from "./measure-http.ts";
import { measureTrunks } from "./measure-trunks.ts";
import { trySpeech } from "./open-speech.ts";
import { openVoice } from "./open-voice.ts";

const now = new Date("2026-11-20T12:00:00Z");

const fault = { reason: "espeak-ng is not installed.", fix: "Install it." };

async function withVoice(env: Record<string, string>, work: (folder: string, lines: unknown[]) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "voice-"));
  const lines: unknown[] = [];
  const write = (facts: unknown) => void lines.push(facts);
  const ctx = { now: () => now, log: { info: write, warn: write, error: write } } as unknown as Ctx;
  const opened = await openVoice({ settings: readSettings({ TILLPOST_DATA_DIR: folder, ...env }), ctx, speaks: async () => fault });
  await opened?.close();
  expect(lines.includes(fault)).toBe(env["SIP_TRUNKS"] !== undefined);
  await work(folder, lines);
  const voice = await openVoice({ settings: readSettings({ TILLPOST_DATA_DIR: folder, ...env }), ctx });
  expect(voice === null).toBe(env["SIP_TRUNKS"] === undefined);
  if (voice !== null) expect(voice.recordings).toBe(join(folder, "calls"));
  await voice?.close();
  expect(JSON.stringify(lines)).not.toContain("geheim");
  if (env["SIP_TRUNKS"] !== undefined)
    expect((await readdir(join(folder, "calls"))).sort()).toEqual(["new.wav", "waiting.wav", "waiting.wav.json"]);
  await rm(folder, { recursive: true });
}

test("recordings that a dead process left are removed, those that may be in progress or wait to be stored are retained, and a missing voice is reported", async () => {
  const listen = `udp://127.0.0.1:${await freePort()}`;
  await withVoice({ SIP_TRUNKS: "sip://user:geheim@127.0.0.1:9?ping=0", SIP_LISTEN: listen }, async (folder) => {
    for (const [name, hours] of [
      ["old.wav", 7],
      ["waiting.wav", 7],
      ["waiting.wav.json", 7],
      ["new.wav", 5],
    ] as const) {
      const path = join(folder, "calls", name);
      await writeFile(path, "");
      await utimes(path, now, new Date(now.getTime() - hours * 3_600_000));
    }
  });
});

test("without trunks nothing is opened", async () => {
  await withVoice({}, async () => undefined);
});

test("whether texts can be spoken is only known of the program on this machine", async () => {
  const missing = async () => "espeak-ng is not installed.";
  expect(await trySpeech({ SPEECH: "espeak-ng" }, async () => null)).toBe("fine");
  expect(await trySpeech({ SPEECH: "espeak-ng" }, missing)).toEqual({
    reason: "espeak-ng is not installed.",
    fix: expect.stringContaining("SPEECH"),
  });
  expect(await trySpeech({ SPEECH: "https://speech.example/say" }, missing)).toBe("unknown");
});

test("metrics show each trunk's state at the time of the request", async () => {
  const registry = new Registry();
  const counts = { started: 0, failed: 0 };
  const trunks = [
    { ...counts, name: "main", channels: 30, calls: 2, fault: null as string | null },
    { ...counts, name: "other", channels: 4, calls: 0, fault: "it doesn't respond" },
  ];
  measureTrunks(registry, { trunks: () => trunks });
  const samples = async () => (await registry.metrics()).split("\n").filter((line) => !line.startsWith("#") && line !== "");
  expect(await samples()).toEqual([
    'tillpost_sip_trunk_up{trunk="main"} 1',
    'tillpost_sip_trunk_up{trunk="other"} 0',
    'tillpost_sip_channels{trunk="main"} 30',
    'tillpost_sip_channels{trunk="other"} 4',
    'tillpost_sip_channels_in_use{trunk="main"} 2',
    'tillpost_sip_channels_in_use{trunk="other"} 0',
  ]);
  trunks[0] = { ...counts, name: "main", channels: 30, calls: 0, fault: "it asked for a pause" };
  expect(await samples()).toEqual(
    expect.arrayContaining(['tillpost_sip_trunk_up{trunk="main"} 0', 'tillpost_sip_channels_in_use{trunk="main"} 0']),
  );
});

test("metrics show what carriers over HTTP took, and how many calls each account carries", async () => {
  const registry = new Registry();
  const count = countVoiceRequests(registry);
  measureVoiceAccounts(registry, { accounts: () => [{ name: "main", channels: 30, calls: 2 }] });
  for (const result of ["done", "done", "unknown"]) count("main", result);
  expect((await registry.metrics()).split("\n").filter((line) => !line.startsWith("#") && line !== "")).toEqual([
    'tillpost_voice_http_requests_total{account="main",result="done"} 2',
    'tillpost_voice_http_requests_total{account="main",result="unknown"} 1',
    'tillpost_voice_http_channels{account="main"} 30',
    'tillpost_voice_http_channels_in_use{account="main"} 2',
  ]);
});
