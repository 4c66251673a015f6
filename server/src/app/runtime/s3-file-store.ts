import { type FileStore, platformErrors } from "#platform/index.ts";
import { callS3, requireOk, type S3Call, type S3Options } from "./call-s3.ts";
import { requireFileKey } from "./file-key.ts";

/**
 * Files in a bucket of an S3-compatible store, for several processes. Every operation is safe to repeat, so a failing store is retried, but
 * not after a timeout. Throws service_unavailable, whose cause is for the log.
 */
export function s3FileStore(options: S3Options): FileStore {
  const call = (method: S3Call["method"], key: string, body?: Uint8Array) =>
    callS3(options, { method, key: requireFileKey(key), ...(body === undefined ? {} : { body }) }).catch(unavailable);
  return {
    async put(key, bytes) {
      await expectDone(await call("PUT", key, bytes));
    },
    async get(key) {
      const answer = await call("GET", key);
      if (answer.status === 404 && !(await isBucketMissing(answer))) return null;
      await requireOk(answer).catch(unavailable);
      return Buffer.from(await bytesOf(answer));
    },
    async remove(key) {
      const answer = await call("DELETE", key);
      if (answer.status !== 404) await expectDone(answer);
    },
  };
}

/** A missing bucket must not look like a missing file. */
async function isBucketMissing(answer: Response): Promise<boolean> {
  return /<Code>NoSuchBucket<\/Code>/.test(await answer.clone().text());
}

/** An unread body would keep the connection busy. */
async function expectDone(answer: Response): Promise<void> {
  await (await requireOk(answer).catch(unavailable)).arrayBuffer();
}

async function bytesOf(answer: Response): Promise<ArrayBuffer> {
  return answer.arrayBuffer().catch((error: Error) => unavailable(new Error(`the file store broke off: ${error.message}`)));
}

function unavailable(reason: Error): never {
  throw platformErrors.service_unavailable({ message: "Files can't be stored or read right now. Try again shortly.", cause: reason });
}
