import { createHash } from "node:crypto";
import type { Speech, Spoken } from "#calls/index.ts";

/** Audio is 16 000 bytes a second, so this is more than an hour. */
const usualMaxBytes = 64 * 1024 * 1024;

/**
 * Caches spoken texts, evicting the least recently used. Held only in memory and keyed by a hash, because texts may have codes that must
 * not be written to disk. Concurrent requests for the same text wait for the one in progress.
 */
export function cacheSpeech(speech: Speech, maxBytes = usualMaxBytes): Speech {
  const cache = new Map<string, Buffer>();
  const inProgress = new Map<string, Promise<Buffer>>();
  let bytes = 0;
  const keep = (key: string, sound: Buffer) => {
    if (sound.length > maxBytes / 4) return;
    cache.set(key, sound);
    bytes += sound.length;
    for (const [oldest, old] of cache) {
      if (bytes <= maxBytes) break;
      cache.delete(oldest);
      bytes -= old.length;
    }
  };
  const make = (key: string, ask: () => Promise<Buffer>) => {
    const made = ask();
    inProgress.set(key, made);
    const done = () => void inProgress.delete(key);
    made.then((sound) => keep(key, sound), done).then(done, done);
    return made;
  };
  const keyOf = (text: string, { voice, language, speed }: Spoken) =>
    createHash("sha256")
      .update(JSON.stringify([speech.name, text, voice, language, speed]))
      .digest("base64");
  const find = (key: string): Promise<Buffer> | null => {
    const known = cache.get(key);
    if (known === undefined) return inProgress.get(key) ?? null;
    // Marks it as most recently used.
    cache.delete(key);
    cache.set(key, known);
    return Promise.resolve(known);
  };
  return {
    ...speech,
    known: (text, how) => find(keyOf(text, how)),
    async speak(text, how) {
      const key = keyOf(text, how);
      return find(key) ?? make(key, () => speech.speak(text, how));
    },
  };
}
