import { createHash } from "node:crypto";
import { canonicalJson, readJson } from "#platform/index.ts";
import type { Texts } from "./lift-contents.ts";

/** A token in JSON. Only the thread that extracts texts writes NUL. */
const tokens = /"(\\u0000text:[0-9a-f]{64})"/;

/**
 * Computes the fingerprints that bodies had before their long texts were extracted: of the texts themselves, not of the tokens in their
 * places. The bodies are read right away and may change afterwards; the texts are read when the fingerprints are needed, one per turn, so
 * that megabytes of them delay no other request.
 */
export function wholeFingerprints(bodies: unknown[], texts: Texts): () => Promise<string[]> {
  const written = bodies.map(canonicalJson);
  return async () => {
    const made: string[] = [];
    for (const json of written) made.push(await wholeFingerprint(json, texts));
    return made;
  };
}

async function wholeFingerprint(json: string, texts: Texts): Promise<string> {
  const hash = createHash("sha256");
  for (const [index, piece] of json.split(tokens).entries()) {
    const text = index % 2 === 0 ? undefined : texts.get(piece.replace("\\u0000", "\u0000"));
    hash.update(text === undefined ? piece : await readJson(text));
  }
  return hash.digest("hex");
}
