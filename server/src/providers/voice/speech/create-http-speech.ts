import type { Speech } from "#calls/index.ts";
import { readSound } from "./read-sound.ts";
import { SpeechError } from "./speech-error.ts";

export interface HttpSpeechOptions {
  /** Where texts are posted; a user and password in the URL are sent as basic authentication. */
  url: string;
  fetch: typeof fetch;
  limitMs?: number;
}

const maxBytes = 32 * 1024 * 1024;
const usualLimitMs = 20_000;
const engine = "The speech server";

/** Speech by the operator's own server: it receives `{"text","voice","language","speed"}` as JSON and responds with a WAV. */
export function createHttpSpeech({ url, fetch, limitMs = usualLimitMs }: HttpSpeechOptions): Speech {
  const address = new URL(url);
  const authorization = Buffer.from(`${decodeURIComponent(address.username)}:${decodeURIComponent(address.password)}`).toString("base64");
  const headers = {
    "content-type": "application/json",
    accept: "audio/wav",
    ...(address.username === "" ? {} : { authorization: `Basic ${authorization}` }),
  };
  address.username = "";
  address.password = "";
  return {
    name: "http",
    async speak(text, { voice, language, speed }) {
      const body = JSON.stringify({ text, voice, language, speed });
      const signal = AbortSignal.timeout(limitMs);
      // A network error may contain the address; merchants only see that it failed, not where.
      const response = await fetch(address, { method: "POST", headers, body, signal, redirect: "error" }).catch(() => null);
      if (response === null) throw new SpeechError(`${engine} can't be reached.`);
      if (!response.ok) throw new SpeechError(`${engine} returned ${response.status}.`);
      return readSound(await wholeBody(response), engine);
    },
  };
}

async function wholeBody(response: Response): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const part of response.body ?? []) {
      bytes += part.length;
      if (bytes > maxBytes) break;
      parts.push(part);
    }
  } catch {
    throw new SpeechError(`${engine} sent an incomplete response.`);
  }
  if (bytes > maxBytes) throw new SpeechError(`${engine} returned more than ${maxBytes / 1024 / 1024} MB.`);
  return Buffer.concat(parts);
}
