import { createHash } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll } from "vitest";

/** A store in this process that speaks S3, with one bucket. */
export interface S3Store {
  endpoint: string;
  /** What is stored, by key. */
  objects: Map<string, Buffer>;
  /** Multipart uploads that were neither completed nor aborted. */
  uploads: Map<string, Map<number, Buffer>>;
  /** How many requests it accepts before its troubles begin. */
  passes: number;
  /** The status that it refuses the next requests with. */
  troubles: number[];
  /** How many of the next responses with a file's bytes break off. */
  breaks: number;
  /** While true it refuses all. */
  isAway: boolean;
  /** How many more files it sends before it stops responding to requests for one; null if it doesn't stop. */
  serves: number | null;
  /** It doesn't respond to uploads of objects whose keys begin like this; null if it responds to all. */
  stuck: string | null;
  /** Whether a request has been waiting for a response since. */
  isHeld: boolean;
  /** It refuses objects whose keys begin like this; null if it refuses none. */
  refused: string | null;
}

const pageSize = 3;
const bucket = "/backups";

/** A store on loopback, closed when the test file ends. */
export async function s3Store(): Promise<S3Store> {
  const store: S3Store = {
    endpoint: "",
    objects: new Map(),
    uploads: new Map(),
    passes: 0,
    troubles: [],
    breaks: 0,
    isAway: false,
    serves: null,
    stuck: null,
    isHeld: false,
    refused: null,
  };
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    answer(store, { request, response, body: Buffer.concat(parts) });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  store.endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return store;
}

interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
  body: Buffer;
}

function answer(store: S3Store, { request, response, body }: Exchange): void {
  const url = new URL(request.url ?? "", "http://store");
  const trouble = store.isAway ? 503 : store.passes-- > 0 ? undefined : store.troubles.shift();
  if (trouble !== undefined) return void response.writeHead(trouble).end("<Error><Code>AccessDenied</Code></Error>");
  if (request.headers["x-amz-content-sha256"] !== createHash("sha256").update(body).digest("hex"))
    return void response.writeHead(400).end();
  if (url.pathname === bucket) return void response.end(listing(store, url.searchParams));
  const key = url.pathname.slice(bucket.length + 1);
  if (store.refused !== null && key.startsWith(store.refused))
    return void response.writeHead(403).end("<Error><Code>AccessDenied</Code></Error>");
  if (store.stuck !== null && key.startsWith(store.stuck) && request.method === "PUT") {
    store.isHeld = true;
    return;
  }
  const uploadId = url.searchParams.get("uploadId");
  if (url.searchParams.has("uploads")) {
    store.uploads.set(key, new Map());
    return void response.end(`<InitiateMultipartUploadResult><UploadId>${key}</UploadId></InitiateMultipartUploadResult>`);
  }
  if (uploadId !== null) return inParts(store, { request, response, body }, { key, number: Number(url.searchParams.get("partNumber")) });
  if (request.method === "PUT") store.objects.set(key, body);
  const found = store.objects.get(key);
  const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? "") ?? [];
  if (request.method !== "GET") return void response.end();
  if (found === undefined) return void response.writeHead(404).end("<Error><Code>NoSuchKey</Code></Error>");
  if (store.serves !== null && store.serves-- <= 0) {
    store.isHeld = true;
    return;
  }
  const bytes = first === undefined ? found : found.subarray(Number(first), Number(last) + 1);
  response.writeHead(first === undefined ? 200 : 206, { "content-length": bytes.length });
  if (store.breaks-- > 0) response.write(bytes.subarray(0, bytes.length / 2), () => response.destroy());
  else response.end(bytes);
}

function inParts(
  { objects, uploads }: S3Store,
  { request, response, body }: Exchange,
  { key, number }: { key: string; number: number },
): void {
  const parts = uploads.get(key);
  if (parts === undefined) return void response.writeHead(404).end("<Error><Code>NoSuchUpload</Code></Error>");
  if (request.method === "PUT") {
    parts.set(number, body);
    return void response.setHeader("etag", `"${number}"`).end();
  }
  uploads.delete(key);
  const named = [...String(body).matchAll(/<PartNumber>(\d+)<\/PartNumber><ETag>"\1"<\/ETag>/g)].map(
    ([, one]) => parts.get(Number(one)) ?? Buffer.alloc(0),
  );
  if (request.method === "POST") objects.set(key, Buffer.concat(named));
  response.end("<CompleteMultipartUploadResult/>");
}

/** One page of the stored objects. */
function listing({ objects }: S3Store, query: URLSearchParams): string {
  const keys = [...objects.keys()].filter((key) => key.startsWith(query.get("prefix") ?? "")).sort();
  const from = Number(query.get("continuation-token") ?? 0);
  const page = keys
    .slice(from, from + pageSize)
    .map((key) => `<Contents><Key>${key}</Key><Size>${objects.get(key)?.length}</Size></Contents>`);
  const isMore = from + pageSize < keys.length;
  const next = isMore ? `<NextContinuationToken>${from + pageSize}</NextContinuationToken>` : "";
  return `<ListBucketResult><IsTruncated>${isMore}</IsTruncated>${next}${page.join("")}</ListBucketResult>`;
}
