import type { Speech } from "#calls/index.ts";
import { cacheSpeech } from "#providers/voice/speech/cache-speech.ts";
import { createEspeakSpeech, tryEspeak } from "#providers/voice/speech/create-espeak-speech.ts";
import { createHttpSpeech } from "#providers/voice/speech/create-http-speech.ts";

/** The value of `SPEECH` for the program on this machine. */
const espeak = "espeak-ng";

/** The configured speech engine; recent speech is cached. */
export function openSpeech({ SPEECH }: { SPEECH: string }, fetcher: typeof fetch): Speech {
  return cacheSpeech(SPEECH === espeak ? createEspeakSpeech() : createHttpSpeech({ url: SPEECH, fetch: fetcher }));
}

/** Checks whether texts can be spoken; if not, why and what to do. A speech server isn't called, because it may charge for each text. */
export async function trySpeech(
  { SPEECH }: { SPEECH: string },
  tried = tryEspeak,
): Promise<"fine" | "unknown" | { reason: string; fix: string }> {
  if (SPEECH !== espeak) return "unknown";
  const reason = await tried();
  if (reason === null) return "fine";
  return { reason, fix: "Install espeak-ng (images built with SPEECH=espeak-ng include it), or set SPEECH to a speech server's address." };
}
