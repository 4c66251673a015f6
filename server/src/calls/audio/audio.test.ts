import type { ServerResponse } from "node:http";
import { describe, expect, test } from "vitest";
import { testApp } from "#test/support/app/test-app.ts";
import { localEgress } from "#test/support/network/certificate.ts";
import { receiver } from "#test/support/network/receiver.ts";
import { fetchSound } from "./fetch-sound.ts";
import { alawSamples, encodeMulaw, mulawSamples } from "./g711.ts";
import { readWav } from "./read-wav.ts";
import { resample } from "./resample.ts";
import { wavOf } from "./write-wav.ts";

interface Head {
  kind?: number;
  channels?: number;
  rate?: number;
  bits?: number;
  /** What the data chunk says of its length. */
  says?: number;
}

function wav(data: Buffer, { kind = 1, channels = 1, rate = 8_000, bits = 16, says = data.length }: Head = {}): Buffer {
  const head = Buffer.alloc(44);
  head.write("RIFF", 0, "latin1");
  head.writeUInt32LE(36 + data.length, 4);
  head.write("WAVEfmt ", 8, "latin1");
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(kind, 20);
  head.writeUInt16LE(channels, 22);
  head.writeUInt32LE(rate, 24);
  head.writeUInt16LE(bits, 34);
  head.write("data", 36, "latin1");
  head.writeUInt32LE(says, 40);
  return Buffer.concat([head, data]);
}

/** A tone of so many hertz, written by a function. */
function tone(
  hertz: number,
  { rate, seconds, write, width }: { rate: number; seconds: number; width: number; write(into: Buffer, value: number, at: number): void },
): Buffer {
  const data = Buffer.alloc(rate * seconds * width);
  for (let at = 0; at < rate * seconds; at += 1) write(data, 0.5 * Math.sin((2 * Math.PI * hertz * at) / rate), at * width);
  return data;
}

const int16 = { width: 2, write: (into: Buffer, value: number, at: number) => void into.writeInt16LE(Math.round(value * 32_767), at) };

/** How alike two sounds are, from -1 to 1. */
function correlation(left: Buffer, right: Buffer): number {
  let [product, ofLeft, ofRight] = [0, 0, 0];
  for (let at = 400; at + 400 < Math.min(left.length, right.length); at += 2) {
    const [a, b] = [left.readInt16LE(at), right.readInt16LE(at)];
    product += a * b;
    ofLeft += a * a;
    ofRight += b * b;
  }
  return product / Math.sqrt(ofLeft * ofRight);
}

function loudness(pcm: Buffer): number {
  let sum = 0;
  for (let at = 400; at + 400 < pcm.length; at += 2) sum += pcm.readInt16LE(at) ** 2;
  return Math.sqrt(sum / (pcm.length / 2));
}

/** One sample as μ-law. */
function mulawOf(sample: number): number {
  const pcm = Buffer.alloc(2);
  pcm.writeInt16LE(sample);
  return encodeMulaw(pcm)[0] as number;
}

const wanted = tone(440, { rate: 8_000, seconds: 1, ...int16 });

test("μ-law decodes to the encoded sound, by the table of G.711", () => {
  for (let byte = 0; byte < 256; byte += 1) expect(mulawSamples[mulawOf(mulawSamples[byte] as number)]).toBe(mulawSamples[byte]);
  expect([mulawSamples[0], mulawSamples[0x80], mulawSamples[0xff], mulawSamples[0x7f]]).toEqual(
    [-32_124, 32_124, 0, 0].map((one) => one + 0),
  );
  expect([alawSamples[0xd5], alawSamples[0x55], alawSamples[0xaa], alawSamples[0x2a]]).toEqual([8, -8, 32_256, -32_256]);
  expect([mulawOf(-32_768), mulawOf(32_767)]).toEqual([0x00, 0x80]);
});

const formats: [name: string, head: Head, width: number, write: (into: Buffer, value: number, at: number) => void][] = [
  ["8-bit PCM", { bits: 8 }, 1, (into, value, at) => void into.writeUInt8(Math.round(128 + value * 127), at)],
  ["16-bit PCM", {}, 2, int16.write],
  ["24-bit PCM", { bits: 24 }, 3, (into, value, at) => void into.writeIntLE(Math.round(value * 8_388_607), at, 3)],
  ["32-bit PCM", { bits: 32 }, 4, (into, value, at) => void into.writeInt32LE(Math.round(value * 2_147_483_647), at)],
  ["floats", { kind: 3, bits: 32 }, 4, (into, value, at) => void into.writeFloatLE(value, at)],
  ["μ-law", { kind: 7, bits: 8 }, 1, (into, value, at) => void into.writeUInt8(mulawOf(Math.round(value * 32_767)), at)],
];
describe.each([8_000, 11_025, 16_000, 22_050, 44_100, 48_000])("a sound of %i samples a second", (rate) => {
  test.each(formats)("in %s sounds as before", async (_name, head, width, write) => {
    const pcm = await resample(readWav(wav(tone(440, { rate, seconds: 1, width, write }), { ...head, rate })));
    expect(Math.abs(pcm.length - wanted.length)).toBeLessThan(8);
    expect(correlation(pcm, wanted)).toBeGreaterThan(0.99);
  });
});

test("frequencies above half of a telephone's rate aren't heard as another tone", async () => {
  const pcm = await resample(readWav(wav(tone(7_000, { rate: 48_000, seconds: 1, ...int16 }), { rate: 48_000 })));
  expect(loudness(pcm)).toBeLessThan(loudness(wanted) / 50);
});

test("two channels are mixed, and a stream of unspecified length is read as far as there is sound", async () => {
  const stereo = Buffer.alloc(wanted.length * 2);
  for (let at = 0; at < wanted.length; at += 2) stereo.writeInt16LE(wanted.readInt16LE(at), at * 2);
  const pcm = await resample(readWav(wav(stereo, { channels: 2, says: 0xffff_ffff })));
  expect(correlation(pcm, wanted)).toBeGreaterThan(0.99);
});

test("floats above the maximum, and those that aren't numbers, do no harm", async () => {
  const data = Buffer.alloc(16);
  [Number.POSITIVE_INFINITY, 9, Number.NaN, -9].forEach((value, index) => void data.writeFloatLE(value, index * 4));
  const pcm = await resample(readWav(wav(data, { kind: 3, bits: 32 })));
  expect([0, 2, 4, 6].map((at) => pcm.readInt16LE(at))).toEqual([0, 32_767, 0, -32_767]);
});

test("a recording is read back as it was written", async () => {
  const samples = encodeMulaw(wanted);
  for (const data of [samples, samples.subarray(1)]) {
    const file = wavOf(data);
    expect(file.length % 2).toBe(0);
    expect(file.readUInt32LE(4)).toBe(file.length - 8);
    expect(readWav(file)).toMatchObject({ rate: 8_000, frames: data.length });
  }
});

const second = Buffer.alloc(16_000);
const bad: [name: string, file: Buffer, says: RegExp][] = [
  ["nothing", Buffer.alloc(0), /isn't a WAV file/],
  ["an MP3", Buffer.from("ID3\u0004 this is compressed music and no WAV"), /isn't a WAV file/],
  ["a WAV file without sound", wav(Buffer.alloc(0)), /no audio/],
  ["a WAV file without a head", Buffer.concat([Buffer.from("RIFF....WAVEdata\u0004\u0000\u0000\u0000"), second]), /no audio/],
  ["a head that is cut off", Buffer.from("RIFF....WAVEfmt \u0010\u0000\u0000\u0000\u0001\u0000", "latin1"), /incomplete/],
  ["compressed sound", wav(second, { kind: 2, bits: 4 }), /encoding isn't supported/],
  ["a width that no coding has", wav(second, { bits: 12 }), /encoding isn't supported/],
  ["samples of no width", wav(second, { bits: 0 }), /encoding isn't supported/],
  ["no channel", wav(second, { channels: 0 }), /one or two channels/],
  ["a thousand channels", wav(second, { channels: 1_000 }), /one or two channels/],
  ["one sample a second, which would last for hours", wav(second, { rate: 1 }), /8000 to 48000/],
  ["no rate", wav(second, { rate: 0 }), /8000 to 48000/],
  ["a rate beyond all", wav(second, { rate: 4_000_000_000 }), /8000 to 48000/],
  ["six minutes", wav(Buffer.alloc(8_000 * 301), { kind: 7, bits: 8 }), /longer than 300/],
  ["chunks without end", Buffer.concat([Buffer.from("RIFF....WAVE"), Buffer.alloc(1_000_000)]), /no audio/],
];
test.each(bad)("refuses %s", (_name, file, says) => {
  expect(() => readWav(file)).toThrow(says);
});

describe("a sound's URL", () => {
  const good = wav(wanted);
  const answers: Record<string, (response: ServerResponse) => void> = {
    "/good.wav": (response) => void response.writeHead(200, { "content-type": "audio/wav" }).end(good),
    "/gone.wav": (response) => void response.writeHead(404).end(),
    "/page": (response) => void response.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end("<p>Sign in</p>"),
    "/moved.wav": (response) => void response.writeHead(302, { location: "/good.wav" }).end(),
    "/large.wav": (response) => void response.writeHead(200, { "content-type": "audio/wav" }).end(Buffer.alloc(10 * 1024 * 1024 + 1)),
    "/endless.wav": (response) => {
      response.writeHead(200, { "content-type": "audio/wav" });
      const more = (error?: Error | null): void => {
        if (error == null && !response.destroyed) response.write(Buffer.alloc(1024 * 1024), more);
      };
      more();
    },
  };

  test("is fetched and converted; other responses are reported with an explanation", async () => {
    const { ctx, tenant } = await testApp({ egress: await localEgress() });
    const shop = await tenant();
    const server = await receiver((one, response) => answers[one.path]?.(response));
    expect(correlation(await fetchSound(ctx, shop, `${server.url}/good.wav`), wanted)).toBeGreaterThan(0.99);
    const saysOf = (url: string) => fetchSound(ctx, shop, url).then(String, (error: Error) => error.message);
    expect(await saysOf(`${server.url}/gone.wav`)).toMatch(/returned 404/);
    expect(await saysOf(`${server.url}/moved.wav`)).toMatch(/returned 302/);
    expect(await saysOf(`${server.url}/page`)).toMatch(/returned text\/html/);
    expect(await saysOf(`${server.url}/large.wav`)).toMatch(/larger than 10 MB/);
    expect(await saysOf(`${server.url}/endless.wav`)).toMatch(/larger than 10 MB/);
    expect(await saysOf("https://10.0.0.1/inside.wav")).toMatch(/couldn't be fetched: egress_blocked/);
    expect(server.received.map(({ path }) => path)).not.toContain("/inside.wav");
  });

  test("of a project whose server is slow delays no other project's sounds", async () => {
    const { ctx, tenant } = await testApp({ egress: await localEgress() });
    const [slow, shop] = [await tenant(), await tenant()];
    const gate = Promise.withResolvers<void>();
    const server = await receiver((one, response) => {
      if (one.path === "/good.wav") answers[one.path]?.(response);
      else void gate.promise.then(() => response.writeHead(404).end());
    });
    let ended = 0;
    const owed = Array.from({ length: 40 }, () =>
      fetchSound(ctx, slow, `${server.url}/slow.wav`).catch(() => {
        ended += 1;
      }),
    );
    await server.until(1);
    await fetchSound(ctx, shop, `${server.url}/good.wav`);
    expect(ended).toBe(0);
    gate.resolve();
    await Promise.all(owed);
  });
});
