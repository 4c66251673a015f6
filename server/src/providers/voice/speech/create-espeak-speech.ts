import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import type { Speech, Spoken } from "#calls/index.ts";
import { readSound } from "./read-sound.ts";
import { SpeechError } from "./speech-error.ts";

export interface EspeakOptions {
  /** The program; by default `espeak-ng` in the usual places. */
  program?: string;
  limitMs?: number;
}

/** The PATH of the program; nothing else of our environment is passed on. */
const places = "/usr/local/bin:/usr/bin:/bin:/opt/homebrew/bin";
const usualWordsPerMinute = 160;
/** More audio than a text of at most 4 000 characters can produce. */
const maxBytes = 48 * 1024 * 1024;
const atOnce = 2;
const usualLimitMs = 20_000;

/**
 * Speech by espeak-ng, which only needs Debian: easy to understand, but robotic. The text only goes through a pipe, so nothing in it can be
 * an option or a file.
 */
export function createEspeakSpeech({ program = "espeak-ng", limitMs = usualLimitMs }: EspeakOptions = {}): Speech {
  const waiting: (() => void)[] = [];
  let running = 0;
  const turn = async () => {
    if (running >= atOnce) await new Promise<void>((resolve) => void waiting.push(resolve));
    else running += 1;
  };
  const next = () => {
    const first = waiting.shift();
    if (first === undefined) running -= 1;
    else first();
  };
  return {
    name: "espeak-ng",
    atOnce,
    async speak(text, how) {
      await turn();
      try {
        return await readSound(await run(spawnEspeak(program, how), { text, limitMs }), "espeak-ng");
      } finally {
        next();
      }
    },
  };
}

/** Returns what is wrong with the installation of espeak-ng, or null. */
export async function tryEspeak(program = "espeak-ng"): Promise<string | null> {
  const spoken = createEspeakSpeech({ program }).speak("ok", { voice: null, language: null, speed: 1 });
  return spoken.then(
    () => null,
    (error: unknown) => (error instanceof SpeechError ? error.message : "espeak-ng failed."),
  );
}

function spawnEspeak(program: string, how: Spoken): ChildProcessWithoutNullStreams {
  const speed = Math.round(Math.min(450, Math.max(80, usualWordsPerMinute * how.speed)));
  return spawn(program, ["-v", voiceOf(how), "-s", String(speed), "-b", "1", "--stdin", "--stdout"], {
    env: { PATH: places },
    stdio: "pipe",
  });
}

/** espeak-ng's names for Chinese, by the prefix of a language tag; the first match counts. */
const chineseVoices = [
  ["zh-hk-", "yue"],
  ["zh-mo-", "yue"],
  ["zh-", "cmn"],
] as const;

/** espeak-ng accepts language tags as voices, if it has them. */
export function voiceOf({ voice, language }: Pick<Spoken, "voice" | "language">): string {
  const wanted = (voice ?? language ?? "en-us").toLowerCase();
  if (!/^[a-z][\w+-]{0,40}$/.test(wanted)) throw new SpeechError("The voice isn't an espeak-ng voice such as en-us.");
  if (voice !== null) return wanted;
  const chinese = chineseVoices.find(([start]) => `${wanted}-`.startsWith(start));
  if (chinese !== undefined) return chinese[1];
  const base = wanted.split("-")[0] ?? "";
  return ["en-us", "en-gb", "pt-br", "es-419", "fr-be", "fr-ch"].includes(wanted) ? wanted : base;
}

function run(child: ChildProcessWithoutNullStreams, { text, limitMs }: { text: string; limitMs: number }): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = [];
    let bytes = 0;
    let fault: string | null = null;
    const stop = (why: string) => {
      fault ??= why;
      child.kill("SIGKILL");
    };
    const timer = setTimeout(() => stop("espeak-ng took too long."), limitMs);
    child.stdout.on("data", (part: Buffer) => {
      bytes += part.length;
      if (bytes > maxBytes) stop("espeak-ng produced more audio than a call can hold.");
      else parts.push(part);
    });
    child.stderr.resume();
    // A program that ends early doesn't read its text.
    child.stdin.on("error", () => undefined);
    child.on("error", (error: NodeJS.ErrnoException) => {
      clearTimeout(timer);
      reject(
        new SpeechError(
          error.code === "ENOENT"
            ? "espeak-ng is not installed. On Debian and Ubuntu: apt-get install espeak-ng"
            : "espeak-ng couldn't be started.",
        ),
      );
    });
    child.on("close", (code) => {
      clearTimeout(timer);
      if (fault !== null) reject(new SpeechError(fault));
      else if (code !== 0 || bytes === 0) reject(new SpeechError("espeak-ng has no such voice, or couldn't speak the text."));
      else resolve(Buffer.concat(parts));
    });
    child.stdin.end(text);
  });
}
