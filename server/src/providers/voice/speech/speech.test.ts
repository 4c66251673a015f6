import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { shareSpeech } from "#calls/audio/share-speech.ts";
import type { Speech } from "#calls/index.ts";
import { turns } from "#test/support/time/eventually.ts";
import { cacheSpeech } from "./cache-speech.ts";
import { createEspeakSpeech, tryEspeak, voiceOf } from "./create-espeak-speech.ts";
import { createHttpSpeech } from "./create-http-speech.ts";

const how = { voice: null, language: "en-US", speed: 1 };

/** A WAV of silence. */
function silence(seconds: number): Buffer {
  const [head, data] = [wavOf(8_000).subarray(0, 44), Buffer.alloc(seconds * 16_000)];
  const wav = Buffer.concat([head, data]);
  wav.writeUInt32LE(data.length, 40);
  return wav;
}

/** A WAV of one second whose header announces what espeak-ng announces to a pipe. */
function wavOf(rate: number, announced?: number): Buffer {
  const header = Buffer.alloc(44);
  header.write("RIFF", 0);
  header.writeUInt32LE(announced ?? 36 + rate * 2, 4);
  header.write("WAVEfmt ", 8);
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20);
  header.writeUInt16LE(1, 22);
  header.writeUInt32LE(rate, 24);
  header.writeUInt32LE(rate * 2, 28);
  header.writeUInt16LE(2, 32);
  header.writeUInt16LE(16, 34);
  header.write("data", 36);
  header.writeUInt32LE(announced ?? rate * 2, 40);
  const data = Buffer.alloc(rate * 2);
  for (let at = 0; at < rate; at += 1) data.writeInt16LE(Math.round(8_000 * Math.sin((2 * Math.PI * 440 * at) / rate)), at * 2);
  return Buffer.concat([header, data]);
}

const loudnessAt = (pcm: Buffer, frequency: number) => {
  let [real, imaginary] = [0, 0];
  for (let at = 0; at < pcm.length / 2; at += 1) {
    real += pcm.readInt16LE(at * 2) * Math.cos((2 * Math.PI * frequency * at) / 8_000);
    imaginary += pcm.readInt16LE(at * 2) * Math.sin((2 * Math.PI * frequency * at) / 8_000);
  }
  return (2 * Math.hypot(real, imaginary)) / (pcm.length / 2);
};

describe("espeak-ng", () => {
  let folder = "";
  const program = async (name: string, code: string) => {
    const path = join(folder, name);
    await writeFile(path, `#!${process.execPath}\n${code}`);
    await chmod(path, 0o755);
    return path;
  };
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "speech-"));
    await writeFile(join(folder, "sound.wav"), wavOf(22_050, 0x7fff_f024));
  });
  afterAll(() => rm(folder, { recursive: true }));

  test("its sound of 22 050 Hz and unknown length becomes 8 000 Hz, complete and in tune", async () => {
    const path = await program(
      "speaks.mjs",
      `import { createReadStream } from "node:fs"; createReadStream(${JSON.stringify(join(folder, "sound.wav"))}).pipe(process.stdout);`,
    );
    const pcm = await createEspeakSpeech({ program: path }).speak("hello", how);
    expect(Math.abs(pcm.length / 2 - 8_000)).toBeLessThan(4);
    expect(Math.abs(loudnessAt(pcm, 440) - 8_000)).toBeLessThan(160);
  });

  test("a text passes through the pipe unchanged and is never an option", async () => {
    const code = `const chunks = []; for await (const part of process.stdin) chunks.push(part);
      if (!process.argv.includes("-f/etc/passwd") && Buffer.concat(chunks).toString() === "-f/etc/passwd \\u4f60") process.stdout.write(${JSON.stringify(wavOf(8_000).toString("base64"))}, "base64");`;
    const pcm = await createEspeakSpeech({ program: await program("listens.mjs", code) }).speak("-f/etc/passwd 你", how);
    expect(pcm.length).toBe(16_000);
  });

  test.each([
    ["is not installed", async () => "/nowhere/espeak-ng", "apt-get install espeak-ng"],
    ["fails", () => program("fails.mjs", "process.exit(1);"), "no such voice"],
    ["says nothing", () => program("mute.mjs", ""), "no such voice"],
    ["answers something else", () => program("odd.mjs", `process.stdout.write("hello");`), "can't be played"],
    ["never ends", () => program("hangs.mjs", "setInterval(() => {}, 1000);"), "took too long"],
    [
      "never stops",
      () =>
        program(
          "floods.mjs",
          "const part = Buffer.alloc(1_000_000); const more = () => { while (process.stdout.write(part)); process.stdout.once('drain', more); }; more();",
        ),
      "more audio",
    ],
  ])("one that %s is reported with an explanation", async (_what, make, words) => {
    const limitMs = words === "took too long" ? 500 : 60_000;
    await expect(createEspeakSpeech({ program: await make(), limitMs }).speak("hello", how)).rejects.toThrow(words);
  });

  test("the doctor reports what to install", async () => {
    expect(await tryEspeak("/nowhere/espeak-ng")).toContain("apt-get install espeak-ng");
  });

  test.each([
    [{ voice: null, language: "en-US" }, "en-us"],
    [{ voice: null, language: "de-DE" }, "de"],
    [{ voice: null, language: "zh-CN" }, "cmn"],
    [{ voice: null, language: "zh-HK" }, "yue"],
    [{ voice: null, language: null }, "en-us"],
    [{ voice: "en+f3", language: "de" }, "en+f3"],
  ])("the voice for %j is %s", (given, voice) => {
    expect(voiceOf(given)).toBe(voice);
  });

  test.each(["-f/etc/passwd", "../../x", "a b", ""])("%j isn't a voice", (voice) => {
    expect(() => voiceOf({ voice, language: null })).toThrow("isn't an espeak-ng voice");
  });
});

describe("a speech server", () => {
  const speechOf = (answer: () => Promise<Response>, seen: { request?: [unknown, RequestInit | undefined] } = {}) =>
    createHttpSpeech({
      url: "https://user:geheim@speech.example/say",
      fetch: (address, init) => {
        seen.request = [address, init];
        return answer();
      },
    });

  test("gets the text as JSON and its own credentials, and its WAV is played", async () => {
    const seen: { request?: [unknown, RequestInit | undefined] } = {};
    const pcm = await speechOf(async () => new Response(new Uint8Array(wavOf(16_000))), seen).speak("hello", how);
    expect(pcm.length).toBe(16_000);
    expect(String(seen.request?.[0])).toBe("https://speech.example/say");
    expect(JSON.parse(String(seen.request?.[1]?.body))).toEqual({ text: "hello", ...how });
    expect(new Headers(seen.request?.[1]?.headers).get("authorization")).toBe(`Basic ${Buffer.from("user:geheim").toString("base64")}`);
  });

  test("may speak for longer than a played sound may last", async () => {
    expect((await speechOf(async () => new Response(new Uint8Array(silence(600)))).speak("hello", how)).length).toBe(600 * 16_000);
    await expect(speechOf(async () => new Response(new Uint8Array(silence(901)))).speak("hello", how)).rejects.toThrow(
      "longer than 900 seconds",
    );
  });

  test.each([
    ["cannot be reached", () => Promise.reject(new Error("connect https://user:geheim@speech.example")), "can't be reached"],
    ["refuses", async () => new Response("no", { status: 503 }), "returned 503"],
    ["answers a page", async () => new Response("<html>"), "can't be played"],
    [
      "answers without end",
      async () => new Response(new ReadableStream({ pull: (to) => to.enqueue(new Uint8Array(1_000_000)) })),
      "more than 32 MB",
    ],
    ["breaks off", async () => new Response(new ReadableStream({ pull: (to) => to.error(new Error("geheim")) })), "incomplete response"],
  ])("one that %s is reported with an explanation, without its URL", async (_what, answer, words) => {
    const fault: unknown = await speechOf(answer)
      .speak("hello", how)
      .catch((error: unknown) => error);
    expect(String(fault)).toContain(words);
    expect(String(fault)).not.toContain("geheim");
  });
});

describe("the cache", () => {
  const counting = (bytes: number): Speech & { texts: string[] } => {
    const texts: string[] = [];
    const speak = async (text: string) => {
      texts.push(text);
      if (text === "bad") throw new Error("no");
      return Buffer.alloc(bytes);
    };
    return { name: "counting", texts, speak };
  };

  test("speaks the same text once, also if it is requested concurrently, and another text or voice separately", async () => {
    const speech = counting(100);
    const cached = cacheSpeech(speech);
    await Promise.all([cached.speak("a", how), cached.speak("a", how)]);
    await cached.speak("a", how);
    await cached.speak("a", { ...how, voice: "x" });
    await cached.speak("b", how);
    expect(speech.texts).toEqual(["a", "a", "b"]);
  });

  test("serves a text although the engine is busy with others of the same project, or speaks that text for another one", async () => {
    const texts: string[] = [];
    const speak = (text: string) => {
      texts.push(text);
      return text === "known" ? Promise.resolve(Buffer.alloc(100)) : new Promise<never>(() => {});
    };
    const shared = shareSpeech(cacheSpeech({ name: "busy", atOnce: 2, speak }));
    const [one, other] = [shared({ project_id: "one", livemode: true }), shared({ project_id: "other", livemode: true })];
    await one.speak("known", how);
    for (const text of ["long", "longer", "later"]) void one.speak(text, how);
    await turns(4);
    expect(await one.speak("known", how)).toHaveLength(100);
    void other.speak("long", how);
    void other.speak("another", how);
    void other.speak("more", how);
    await turns(4);
    expect(texts).toEqual(["known", "long", "longer", "another", "more"]);
  });

  test("hands texts to an engine without a limit at once", async () => {
    const texts: string[] = [];
    const shared = shareSpeech(cacheSpeech({ name: "free", speak: (text) => new Promise<never>(() => void texts.push(text)) }));
    const wanted = Array.from({ length: 20 }, (_none, place) => `text ${place}`);
    for (const text of wanted) void shared({ project_id: "one", livemode: true }).speak(text, how);
    await turns(4);
    expect(texts).toEqual(wanted);
  });

  test("stores no fault", async () => {
    const speech = counting(100);
    const cached = cacheSpeech(speech);
    for (let times = 0; times < 2; times += 1) await expect(cached.speak("bad", how)).rejects.toThrow("no");
    expect(speech.texts).toEqual(["bad", "bad"]);
  });

  test("never exceeds its limit, and drops what was used longest ago", async () => {
    const speech = counting(100);
    const cached = cacheSpeech(speech, 400);
    for (const text of ["a", "b", "c", "d", "a", "e", "a", "b"]) await cached.speak(text, how);
    expect(speech.texts).toEqual(["a", "b", "c", "d", "e", "b"]);
  });
});
