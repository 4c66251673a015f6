import { open } from "node:fs/promises";
import { callS3, requireOk, type S3Call, type S3Options } from "../../runtime/call-s3.ts";
import { type BucketObject, fieldOf, readListing } from "./read-listing.ts";

/** A bucket of an S3-compatible store, for files of any size. */
export interface Bucket {
  readonly name: string;
  list(prefix: string): Promise<BucketObject[]>;
  /** The object appears complete or not at all. */
  upload(key: string, path: string): Promise<void>;
  /** Writes a new file, which is on disk when this resolves. */
  download(object: BucketObject, path: string): Promise<void>;
}

/** The size of one request. A file may have 10 000 of them, which is 640 GB. */
const usualPartBytes = 64 * 1024 * 1024;
const partLimitMs = 600_000;
const attempts = 3;

/** Buffers one part of a file at a time. */
export function openBucket(options: S3Options, partBytes = usualPartBytes): Bucket {
  const call = async (given: S3Call) => requireOk(await callS3(options, { limitMs: partLimitMs, ...given }));
  return {
    name: options.bucket,
    list: (prefix) => list(call, prefix),
    upload: (key, path) => upload(call, { key, path, partBytes }),
    download: (object, path) => download(call, { object, path, partBytes }),
  };
}

type Call = (given: S3Call) => Promise<Response>;

async function list(call: Call, prefix: string): Promise<BucketObject[]> {
  const found: BucketObject[] = [];
  for (let token: string | null = ""; token !== null; ) {
    const query: Record<string, string> = { "list-type": "2", prefix, ...(token === "" ? {} : { "continuation-token": token }) };
    const page = readListing(await (await call({ method: "GET", key: "", query })).text());
    for (const object of page.objects) found.push(object);
    token = page.next;
  }
  return found;
}

async function upload(call: Call, { key, path, partBytes }: { key: string; path: string; partBytes: number }): Promise<void> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    if (size <= partBytes) {
      await done(call({ method: "PUT", key, body: await file.readFile() }));
      return;
    }
    const uploadId = fieldOf(await (await call({ method: "POST", key, query: { uploads: "" } })).text(), "UploadId") ?? "";
    try {
      const parts: string[] = [];
      for (let at = 0; at < size; at += partBytes) {
        const body = Buffer.alloc(Math.min(partBytes, size - at));
        await file.read(body, 0, body.length, at);
        const answer = await done(call({ method: "PUT", key, query: { partNumber: String(parts.length + 1), uploadId }, body }));
        parts.push(`<Part><PartNumber>${parts.length + 1}</PartNumber><ETag>${answer.headers.get("etag") ?? ""}</ETag></Part>`);
      }
      const body = Buffer.from(`<CompleteMultipartUpload>${parts.join("")}</CompleteMultipartUpload>`);
      const answer = await (await call({ method: "POST", key, query: { uploadId }, body })).text();
      // A store may respond 200 at once and report an error only later in the body.
      if (answer.includes("<Error>")) throw new Error(`the file store refuses: ${fieldOf(answer, "Code") ?? answer.slice(0, 200)}`);
    } catch (error) {
      // The store would keep unused parts, and charge for them.
      await call({ method: "DELETE", key, query: { uploadId } }).catch(() => undefined);
      throw error;
    }
  } finally {
    await file.close();
  }
}

async function download(
  call: Call,
  { object: { key, bytes }, path, partBytes }: { object: BucketObject; path: string; partBytes: number },
): Promise<void> {
  const file = await open(path, "wx", 0o600);
  try {
    for (let at = 0; at < bytes; at += partBytes) {
      const end = Math.min(at + partBytes, bytes);
      const part = await fetchPart(call, key, { at, end });
      await file.write(part, 0, part.length, at);
    }
    await file.sync();
  } finally {
    await file.close();
  }
}

/** An interrupted part is requested again, rather than the whole file. */
async function fetchPart(call: Call, key: string, { at, end }: { at: number; end: number }): Promise<Buffer> {
  for (let attempt = 1; ; attempt += 1) {
    const answer = await call({ method: "GET", key, headers: { range: `bytes=${at}-${end - 1}` } });
    const part = await answer.arrayBuffer().catch((error: Error) => error);
    if (!(part instanceof Error) && part.byteLength === end - at) return Buffer.from(part);
    const what =
      part instanceof Error ? `broke off: ${part.message}` : `sent ${part.byteLength} bytes of ${key} where ${end - at} were asked for`;
    if (attempt === attempts) throw new Error(`the file store ${what}`);
  }
}

/** An unread body would keep the connection busy. */
async function done(answering: Promise<Response>): Promise<Response> {
  const answer = await answering;
  await answer.arrayBuffer();
  return answer;
}
