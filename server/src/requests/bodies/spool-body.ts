import { open, readFile, rm } from "node:fs/promises";
import type { Readable } from "node:stream";
import { spoolPath } from "#assets/index.ts";
import { platformErrors } from "#platform/index.ts";

/** A body up to this size stays in memory; a larger one goes to disk, so that slow senders hold no memory. */
export const smallBytesMax = 256 * 1024;

/** The maximum size of all bodies on disk. */
const diskBytesMax = 1024 * 1024 * 1024;

/** A received body: in memory, or on disk until it is loaded. */
export interface Spooled {
  bytes: number;
  /** Its file, until it is loaded; null for one in memory. */
  readonly path: string | null;
  /** Reads it and removes its file. */
  take(): Promise<Buffer>;
  drop(): Promise<void>;
}

let diskBytes = 0;

/**
 * Reads a whole body. Throws body_too_large as soon as the limit is exceeded and discards the rest, so that the sender can read the
 * response.
 */
export async function spoolBody(source: Readable, given: { limit: number; length: number | null }): Promise<Spooled> {
  if (given.length !== null && given.length > given.limit) throw refuseRest(source, given.limit);
  const body = new SpoolingBody();
  try {
    for await (const chunk of source.iterator({ destroyOnReturn: false })) {
      if (body.bytes + chunk.length > given.limit) throw refuseRest(source, given.limit);
      await body.add(chunk);
    }
    await body.end();
    return body;
  } catch (error) {
    await body.drop();
    throw source.errored === error ? cutOff(error) : error;
  }
}

/** A sender that disconnected isn't an internal error. */
function cutOff(error: unknown): Error {
  return Object.assign(error as Error, { statusCode: 400 });
}

function refuseRest(source: Readable, limit: number): Error {
  source.resume();
  const words = limit >= 1024 * 1024 ? `${limit / 1024 / 1024} MB` : `${limit / 1024} KB`;
  return platformErrors.body_too_large({ message: `The request body is larger than ${words} (${limit} bytes).` });
}

class SpoolingBody implements Spooled {
  bytes = 0;
  private onDisk = 0;
  private chunks: Buffer[] = [];
  path: string | null = null;
  private file: Awaited<ReturnType<typeof open>> | null = null;

  async add(chunk: Buffer): Promise<void> {
    this.bytes += chunk.length;
    if (this.bytes <= smallBytesMax) {
      this.chunks.push(chunk);
      return;
    }
    if (this.file === null) {
      this.path = spoolPath();
      this.file = await open(this.path, "wx", 0o600);
    }
    const pending = [...this.chunks, chunk];
    this.chunks = [];
    for (const part of pending) {
      this.onDisk += part.length;
      diskBytes += part.length;
      if (diskBytes > diskBytesMax)
        throw platformErrors.concurrency_limited({ message: "Too many large bodies at the same time.", headers: { "retry-after": "5" } });
      await this.file.writeFile(part);
    }
  }

  async end(): Promise<void> {
    await this.file?.close();
    this.file = null;
  }

  async take(): Promise<Buffer> {
    if (this.path === null) return Buffer.concat(this.chunks);
    const bytes = await readFile(this.path);
    await this.drop();
    return bytes;
  }

  async drop(): Promise<void> {
    await this.end();
    this.chunks = [];
    if (this.path === null) return;
    diskBytes -= this.onDisk;
    await rm(this.path, { force: true });
    this.path = null;
  }
}
