/** A verb of a document, as a carrier reads it. */
export interface Verb {
  name: string;
  attributes: Record<string, string>;
  text: string;
  inner: Verb[];
}

/** The samples of a sound that is played on a call. */
function samplesOf(wav: Buffer): number[] {
  if (wav.toString("latin1", 0, 4) !== "RIFF" || wav.readUInt32LE(24) !== 8_000 || wav.readUInt16LE(34) !== 16)
    throw new Error("not a sound of 8 000 Hz");
  return Array.from({ length: wav.readUInt32LE(40) / 2 }, (_none, at) => wav.readInt16LE(44 + at * 2));
}

/** The samples of a sound that a carrier fetches. */
export async function fetchSound(url: string): Promise<number[]> {
  const answer = await fetch(url);
  const wav = Buffer.from(await answer.arrayBuffer());
  if (answer.status !== 200 || answer.headers.get("content-type") !== "audio/wav") throw new Error(`no sound: ${answer.status}`);
  return samplesOf(wav);
}

/** 16-bit PCM; a second channel is silent. */
export function wavOf(samples: readonly number[], channels: number): Buffer {
  const wav = Buffer.alloc(44 + samples.length * 2 * channels);
  wav.write("RIFF", 0);
  wav.writeUInt32LE(wav.length - 8, 4);
  wav.write("WAVEfmt ", 8);
  wav.writeUInt32LE(16, 16);
  wav.writeUInt16LE(1, 20);
  wav.writeUInt16LE(channels, 22);
  wav.writeUInt32LE(8_000, 24);
  wav.writeUInt32LE(16_000 * channels, 28);
  wav.writeUInt16LE(2 * channels, 32);
  wav.writeUInt16LE(16, 34);
  wav.write("data", 36);
  wav.writeUInt32LE(wav.length - 44, 40);
  samples.forEach((sample, at) => void wav.writeInt16LE(sample, 44 + at * 2 * channels));
  return wav;
}

const entities: Readonly<Record<string, string>> = { "&amp;": "&", "&lt;": "<", "&gt;": ">", "&quot;": '"', "&apos;": "'" };
const plain = (text: string) => text.replace(/&(amp|lt|gt|quot|apos);/g, (one) => entities[one] ?? one);

/** The verbs of a document. */
export function parse(document: string): Verb[] {
  const body = /^<\?xml version="1\.0" encoding="UTF-8"\?><Response>(.*)<\/Response>$/s.exec(document)?.[1];
  if (body === undefined) throw new Error(`not a document: ${document}`);
  return parseVerbs(body);
}

function parseVerbs(text: string): Verb[] {
  const verbs: Verb[] = [];
  const pattern = /<(\w+)((?:\s+\w+="[^"<>]*")*)\s*(?:\/>|>(.*?)<\/\1>)/gs;
  for (const [, name = "", attributes = "", inner = ""] of text.matchAll(pattern)) {
    const given = Object.fromEntries([...attributes.matchAll(/(\w+)="([^"]*)"/g)].map(([, key = "", value = ""]) => [key, plain(value)]));
    verbs.push({ name, attributes: given, text: plain(inner), inner: inner.startsWith("<") ? parseVerbs(inner) : [] });
  }
  return verbs;
}

/** The pressed keys that a gather takes. */
export function collected(pressed: string, { numDigits, finishOnKey = "#" }: Record<string, string>): string {
  const end = finishOnKey === "" ? -1 : pressed.indexOf(finishOnKey);
  return (end === -1 ? pressed : pressed.slice(0, end)).slice(0, Number(numDigits));
}
