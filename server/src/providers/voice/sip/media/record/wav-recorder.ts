import { open, unlink } from "node:fs/promises";
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

/** What a recording is written to. */
export interface RecordingFile {
  write(bytes: Uint8Array, offset: number, length: number, position: number): Promise<{ bytesWritten: number }>;
  close(): Promise<void>;
}

const openNew = (path: string): Promise<RecordingFile> => open(path, "wx", 0o600);

/** Writes a call as μ-law WAV, frame by frame: both voices mixed, or on separate channels (ours first). */
export class WavRecorder {
  private readonly path: string;
  private readonly channels: 1 | 2;
  /** The samples of one frame, for all channels. */
  private readonly mixed: Int16Array;
  private block = new Uint8Array(blockBytes);
  private filled = 0;
  private waiting = 0;
  private written = 0;
  private isFull = false;
  /** Never rejects: null if the file couldn't be created, or had no room for the header. */
  private chain: Promise<RecordingFile | null>;

  constructor(path: string, channels: 1 | 2, openFile = openNew) {
    this.path = path;
    this.channels = channels;
    this.mixed = new Int16Array(frameSamples * channels);
    this.chain = this.begin(openFile);
  }

  private async begin(openFile: typeof openNew): Promise<RecordingFile | null> {
    const file = await openFile(this.path).catch(() => null);
    if (file === null || (await writtenTo(file, this.header(0), 0)) === headerBytes) return file;
    await this.discard(file);
    return null;
  }

  private async discard(file: RecordingFile): Promise<void> {
    await file.close().catch(() => undefined);
    await unlink(this.path).catch(() => undefined);
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
      for (let at = 0; at < frameSamples; at += 1) {
        this.mixed[at] = Math.max(-32_768, Math.min(32_767, (ours[at] ?? 0) + (theirs[at] ?? 0)));
      }
      return encodeG711("PCMU", this.mixed, { bytes: this.block, offset: this.filled });
    }
    const both = this.mixed;
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
      const written = file === null ? 0 : await writtenTo(file, block, at);
      if (written < block.length) this.cutOff(at + written);
      this.waiting -= block.length;
      return file;
    });
  }

  /** Ends the recording at what could be written. */
  private cutOff(at: number): void {
    this.isFull = true;
    const whole = at - headerBytes - ((at - headerBytes) % this.channels);
    this.written = Math.min(this.written, whole);
  }

  /** Completes the file. null: it couldn't be written, and was deleted. */
  async finish(): Promise<Recording | null> {
    this.flush();
    const file = await this.chain;
    if (file === null) return null;
    if ((await writtenTo(file, this.header(this.written), 0)) < headerBytes) {
      await this.discard(file);
      return null;
    }
    await file.close().catch(() => undefined);
    return { path: this.path, channels: this.channels, durationMs: Math.round((this.written / this.channels / rate) * 1_000) };
  }
}

/** How many bytes were written. A disk that becomes full may take a part of them, without an error. */
async function writtenTo(file: RecordingFile, bytes: Uint8Array, at: number): Promise<number> {
  const { bytesWritten } = await file.write(bytes, 0, bytes.length, at).catch(() => ({ bytesWritten: 0 }));
  return bytesWritten;
}
