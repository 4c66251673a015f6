import { type FileHandle, open, unlink } from "node:fs/promises";
import { encodeG711, frameSamples } from "../codec/g711.ts";

const headerBytes = 58;
const blockBytes = 16_384;
/** The most that may be buffered for a slow disk. Beyond it the recording ends early rather than fill the memory. */
const maxWaiting = 1_048_576;
/** WAV sizes have 32 bits. */
const maxBytes = 2 ** 31;
const rate = 8_000;

export interface Recording {
  path: string;
  channels: 1 | 2;
  durationMs: number;
}

/** Writes a call as μ-law WAV, frame by frame: both voices mixed, or on separate channels (ours first). */
export class WavRecorder {
  private readonly path: string;
  private readonly channels: 1 | 2;
  private block = new Uint8Array(blockBytes);
  private filled = 0;
  private waiting = 0;
  private written = 0;
  private isFull = false;
  private chain: Promise<FileHandle | null>;

  constructor(path: string, channels: 1 | 2) {
    this.path = path;
    this.channels = channels;
    this.chain = open(path, "wx", 0o600).then(
      async (file) => {
        await file.write(this.header(0), 0, headerBytes, 0);
        return file;
      },
      () => null,
    );
  }

  private header(bytes: number): Buffer {
    const header = Buffer.alloc(headerBytes);
    header.write("RIFF", 0);
    header.writeUInt32LE(headerBytes - 8 + bytes, 4);
    header.write("WAVEfmt ", 8);
    header.writeUInt32LE(18, 16);
    // 7: μ-law.
    header.writeUInt16LE(7, 20);
    header.writeUInt16LE(this.channels, 22);
    header.writeUInt32LE(rate, 24);
    header.writeUInt32LE(rate * this.channels, 28);
    header.writeUInt16LE(this.channels, 32);
    header.writeUInt16LE(8, 34);
    // A non-PCM format needs the number of samples in a separate chunk.
    header.write("fact", 38);
    header.writeUInt32LE(4, 42);
    header.writeUInt32LE(bytes / this.channels, 46);
    header.write("data", 50);
    header.writeUInt32LE(bytes, 54);
    return header;
  }

  /** Adds 20 ms of both sides. */
  add(ours: Int16Array, theirs: Int16Array): void {
    if (this.isFull) return;
    const size = frameSamples * this.channels;
    if (this.filled + size > blockBytes) this.flush();
    if (this.isFull) return;
    this.put(ours, theirs);
    this.filled += size;
  }

  private put(ours: Int16Array, theirs: Int16Array): void {
    if (this.channels === 1) {
      const mixed = ours.map((sample, at) => Math.max(-32_768, Math.min(32_767, sample + (theirs[at] ?? 0))));
      return encodeG711("PCMU", mixed, { bytes: this.block, offset: this.filled });
    }
    const both = new Int16Array(2 * frameSamples);
    for (let at = 0; at < frameSamples; at += 1) {
      both[2 * at] = ours[at] ?? 0;
      both[2 * at + 1] = theirs[at] ?? 0;
    }
    encodeG711("PCMU", both, { bytes: this.block, offset: this.filled });
  }

  private flush(): void {
    const block = this.block.subarray(0, this.filled);
    if (block.length === 0) return;
    this.isFull ||= this.waiting + block.length > maxWaiting || this.written + block.length > maxBytes;
    if (this.isFull) return;
    const at = headerBytes + this.written;
    this.written += block.length;
    this.waiting += block.length;
    this.block = new Uint8Array(blockBytes);
    this.filled = 0;
    this.chain = this.chain.then(async (file) => {
      await file?.write(block, 0, block.length, at).catch(() => this.cutOff(at));
      this.waiting -= block.length;
      return file;
    });
  }

  /** Ends the recording at what could be written. */
  private cutOff(at: number): void {
    this.isFull = true;
    this.written = Math.min(this.written, at - headerBytes);
  }

  /** Completes the file. null: it couldn't be written, and was deleted. */
  async finish(): Promise<Recording | null> {
    this.flush();
    const file = await this.chain;
    if (file === null) return null;
    const isWhole = await file.write(this.header(this.written), 0, headerBytes, 0).then(
      () => true,
      () => false,
    );
    await file.close().catch(() => undefined);
    if (isWhole) return { path: this.path, channels: this.channels, durationMs: Math.round((this.written / this.channels / rate) * 1_000) };
    await unlink(this.path).catch(() => undefined);
    return null;
  }
}
