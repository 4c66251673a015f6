import { setTimeout as sleep } from "node:timers/promises";
import { type FileStore, platformErrors } from "#platform/index.ts";
import { requireFileKey } from "./file-key.ts";
import { type S3Credentials, signS3Request } from "./sign-s3-request.ts";

export interface S3Options extends S3Credentials {
  /** Address of the store, without the bucket. */
  endpoint: string;
  bucket: string;
  /** What requests are signed for; the store takes none that is some minutes away from its own. */
  now(): Date;
}

const attempts = 3;
const firstPauseMs = 200;
const limitMs = 20_000;

/**
 * Files in a bucket of an S3-compatible store, for several processes. Every operation may be repeated without harm, so a faltering store is asked again,
 * but not one that took all of its time. Throws service_unavailable, whose cause is for the log.
 */
export function s3FileStore(options: S3Options): FileStore {
  const call = async (method: "GET" | "PUT" | "DELETE", key: string, body: Uint8Array = new Uint8Array()): Promise<Response> => {
    const url = new URL(`${options.endpoint.replace(/(?<!\/)\/+$/, "")}/${options.bucket}/${requireFileKey(key)}`);
    for (let attempt = 1; ; attempt += 1) {
      const answer = await send(method, url, body).catch((error: unknown) => error as Error);
      const isTrouble = answer instanceof Error || answer.status >= 500 || answer.status === 429;
      if (!isTrouble) return answer;
      const isLate = answer instanceof Error && answer.name === "TimeoutError";
      if (attempt === attempts || isLate) throw unavailable(`the file store does not answer: ${reasonOf(answer)}`);
      await sleep(firstPauseMs * 2 ** attempt);
    }
  };
  const send = async (method: string, url: URL, body: Uint8Array) => {
    const headers = await signS3Request(options, { method, url, headers: {}, body, at: options.now() });
    return fetch(url, { method, headers, signal: AbortSignal.timeout(limitMs), redirect: "manual", ...(method === "PUT" ? { body: Buffer.from(body) } : {}) });
  };
  return {
    async put(key, bytes) {
      await expectOk(await call("PUT", key, bytes));
    },
    async get(key) {
      const answer = await call("GET", key);
      if (answer.status === 404 && !(await isBucketMissing(answer))) return null;
      await expectOk(answer, false);
      return Buffer.from(await bytesOf(answer));
    },
    async remove(key) {
      const answer = await call("DELETE", key);
      if (answer.status !== 404) await expectOk(answer);
    },
  };
}

/** A bucket that is not there must not look like a file that is not there. */
async function isBucketMissing(answer: Response): Promise<boolean> {
  return /<Code>NoSuchBucket<\/Code>/.test(await answer.clone().text());
}

/** A body that nobody reads would hold the connection. */
async function expectOk(answer: Response, isOver = true): Promise<void> {
  if (answer.ok) return isOver ? void (await answer.arrayBuffer()) : undefined;
  const text = await answer.text();
  throw unavailable(`the file store refuses with ${answer.status}: ${/<Code>(\w+)<\/Code>/.exec(text)?.[1] ?? text.slice(0, 200)}`);
}

async function bytesOf(answer: Response): Promise<ArrayBuffer> {
  try {
    return await answer.arrayBuffer();
  } catch (error) {
    throw unavailable(`the file store broke off: ${(error as Error).message}`);
  }
}

function reasonOf(answer: Response | Error): string {
  if (!(answer instanceof Error)) return String(answer.status);
  return answer.cause instanceof Error ? answer.cause.message : answer.message;
}

function unavailable(reason: string): Error {
  return platformErrors.service_unavailable({ message: "Files cannot be stored or read just now. Try again shortly.", cause: new Error(reason) });
}
