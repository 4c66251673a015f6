import { setTimeout as sleep } from "node:timers/promises";
import { type S3Credentials, signS3Request } from "./sign-s3-request.ts";

export interface S3Options extends S3Credentials {
  /** Address of the store, without the bucket. */
  endpoint: string;
  bucket: string;
  /** The time that requests are signed for; the store refuses one that is some minutes off its own. */
  now(): Date;
  /** How long the pause before the second attempt is, in milliseconds; the next one is twice as long. */
  pauseMs?: number;
}

export interface S3Call {
  method: "GET" | "PUT" | "POST" | "DELETE";
  /** Path below the bucket; empty for the bucket itself. Must be valid in a URL as it is. */
  key: string;
  query?: Record<string, string>;
  headers?: Record<string, string>;
  body?: Uint8Array;
  limitMs?: number;
}

const attempts = 3;
const usualPauseMs = 400;
const usualLimitMs = 20_000;

/**
 * Calls a store with a request that is safe to repeat: up to three attempts on errors, but none after a timeout. Throws with the reason.
 */
export async function callS3(options: S3Options, call: S3Call): Promise<Response> {
  for (let attempt = 1; ; attempt += 1) {
    const answer = await send(options, call).catch((error: unknown) => error as Error);
    const isTrouble = answer instanceof Error || answer.status >= 500 || answer.status === 429;
    if (!isTrouble) return answer;
    const isLate = answer instanceof Error && answer.name === "TimeoutError";
    if (attempt === attempts || isLate) throw new Error(`the file store isn't responding: ${reasonOf(answer)}`);
    await sleep((options.pauseMs ?? usualPauseMs) * 2 ** (attempt - 1));
  }
}

/** Throws with the store's reason if it refuses. Doesn't read the body of a success. */
export async function requireOk(answer: Response): Promise<Response> {
  if (answer.ok) return answer;
  const text = await answer.text();
  throw new Error(`the file store refuses with ${answer.status}: ${/<Code>(\w+)<\/Code>/.exec(text)?.[1] ?? text.slice(0, 200)}`);
}

async function send(
  options: S3Options,
  { method, key, query = {}, headers = {}, body = new Uint8Array(), limitMs = usualLimitMs }: S3Call,
): Promise<Response> {
  const url = new URL(`${options.endpoint.replace(/(?<!\/)\/+$/, "")}/${options.bucket}${key === "" ? "" : `/${key}`}`);
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  const signed = await signS3Request(options, { method, url, headers, body, at: options.now() });
  return fetch(url, {
    method,
    headers: signed,
    signal: AbortSignal.timeout(limitMs),
    redirect: "manual",
    ...(method === "PUT" || method === "POST" ? { body: Buffer.from(body.buffer as ArrayBuffer, body.byteOffset, body.byteLength) } : {}),
  });
}

function reasonOf(answer: Response | Error): string {
  if (!(answer instanceof Error)) return String(answer.status);
  return answer.cause instanceof Error ? answer.cause.message : answer.message;
}
