import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { testApp } from "#test/support/app/test-app.ts";
import { freePort } from "#test/support/network/free-port.ts";
import { photo } from "#test/support/pictures/pictures.ts";
import { readSettings } from "../config.ts";
import { checkFiles } from "../doctor/file-checks.ts";
import type { S3Options } from "./call-s3.ts";
import { s3FileStore } from "./s3-file-store.ts";
import { signS3Request } from "./sign-s3-request.ts";

/** Published by Amazon as worked examples of the signature. */
const example = { region: "us-east-1", accessKeyId: "AKIAIOSFODNN7EXAMPLE", secretAccessKey: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY" };
const at = new Date("2013-05-24T00:00:00Z");
const signedAt = new Date("2026-11-20T08:00:00Z");
/** A store that is asked again at once. */
const soon = { ...example, bucket: "shop", now: () => signedAt, pauseMs: 5 };

describe("signS3Request", () => {
  it.each([
    [
      "GET",
      "https://examplebucket.s3.amazonaws.com/test.txt",
      { range: "bytes=0-9" },
      "",
      "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41",
    ],
    [
      "PUT",
      "https://examplebucket.s3.amazonaws.com/test%24file.text",
      { date: "Fri, 24 May 2013 00:00:00 GMT", "x-amz-storage-class": "REDUCED_REDUNDANCY" },
      "Welcome to Amazon S3.",
      "98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd",
    ],
  ])("signs the published %s as documented", async (method, url, headers, body, signature) => {
    const signed = await signS3Request(example, {
      method,
      url: new URL(url),
      headers: headers as unknown as Record<string, string>,
      body: Buffer.from(body),
      at,
    });
    expect(signed.get("authorization")).toMatch(new RegExp(`Signature=${signature}$`));
  });
});

const unavailable = (reason: string) => ({ status: 503, code: "service_unavailable", cause: { message: reason } });

describe("s3FileStore", () => {
  const objects = new Map<string, Buffer>();
  const signedFor = new Set<string>();
  let troubles: number[] = [];
  let server: Server;
  let options: S3Options;

  beforeAll(async () => {
    server = createServer((request, response) => {
      const parts: Buffer[] = [];
      request.on("data", (part: Buffer) => parts.push(part));
      request.on("end", () => {
        const path = request.url ?? "";
        const trouble = troubles.shift();
        if (trouble !== undefined) return void response.writeHead(trouble).end("<Error><Code>AccessDenied</Code></Error>");
        signedFor.add(String(request.headers["x-amz-date"]));
        if (request.method === "PUT") objects.set(path, Buffer.concat(parts));
        const found = objects.get(path);
        if (request.method === "DELETE") objects.delete(path);
        response
          .writeHead(request.method === "GET" && found === undefined ? 404 : request.method === "DELETE" ? 204 : 200)
          .end(request.method === "GET" ? found : undefined);
      });
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    options = { ...soon, endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` };
  });
  afterAll(() => void server.close());

  it("stores, returns and deletes bytes under bucket and key", async () => {
    const files = s3FileStore(options);
    const bytes = Buffer.from([0, 255, 1, 2]);
    await files.put("ab/cd", bytes);
    expect([...objects.keys()]).toEqual(["/shop/ab/cd"]);
    expect(await files.get("ab/cd")).toEqual(bytes);
    await files.remove("ab/cd");
    await files.remove("ab/cd");
    expect(await files.get("ab/cd")).toBeNull();
    expect([...signedFor]).toEqual(["20261120T080000Z"]);
  });

  it("repeats requests to a faltering store, but not to a refusing one", async () => {
    const files = s3FileStore(options);
    troubles = [503, 500];
    await files.put("kept", Buffer.from("x"));
    expect(String(await files.get("kept"))).toBe("x");
    troubles = [403, 418];
    await expect(files.get("kept")).rejects.toMatchObject(unavailable("the file store refuses with 403: AccessDenied"));
    expect(troubles).toEqual([418]);
    troubles = [500, 500, 500];
    await expect(files.remove("kept")).rejects.toMatchObject(unavailable("the file store isn't responding: 500"));
  });

  it("doesn't mistake a missing bucket for a missing file", async () => {
    const bare = createServer((_request, response) => response.writeHead(404).end("<Error><Code>NoSuchBucket</Code></Error>")).listen(
      0,
      "127.0.0.1",
    );
    await once(bare, "listening");
    const files = s3FileStore({ ...options, endpoint: `http://127.0.0.1:${(bare.address() as AddressInfo).port}` });
    await expect(files.get("kept")).rejects.toMatchObject(unavailable("the file store refuses with 404: NoSuchBucket"));
    bare.close();
  });

  it("never requests an invalid key", async () => {
    await expect(s3FileStore(options).get("../other-bucket/secret")).rejects.toThrow("not a file key");
  });
});

const port = await freePort();

describe("while the store is unavailable", () => {
  const endpoint = `http://127.0.0.1:${port}`;
  const away = s3FileStore({ ...soon, endpoint });

  it("uploads and pictures get 503 and leave nothing behind; everything else continues, and they work again afterwards", async () => {
    const app = await testApp();
    const shop = await app.tenant();
    const api = app.api(shop.key);
    const path = `/api/v1/projects/${shop.project_id}/assets/upload`;
    const local = app.ctx.files;
    const asset = (await api.upload(path, await photo(64, 64), { purpose: "payment_proof" })).body;
    const address = asset.url.replace(app.ctx.publicUrl, "");
    Object.assign(app.ctx, { files: away });
    const refused = { status: 503, body: { error: { code: "service_unavailable" } }, headers: { "retry-after": "1" } };
    expect(await api.upload(path, await photo(65, 65), { purpose: "payment_proof" })).toMatchObject(refused);
    expect(await app.api(null).get(address)).toMatchObject(refused);
    expect((await api.post(`/api/v1/projects/${shop.project_id}/orders`, { amount_minor: 100, currency: "CNY" })).status).toBe(201);
    Object.assign(app.ctx, { files: local });
    expect((await app.api(null).get(address)).status).toBe(200);
    expect((await api.upload(path, await photo(65, 65), { purpose: "payment_proof" })).status).toBe(201);
  });

  it("doctor says so, and what to do", async () => {
    const settings = readSettings({ S3_ENDPOINT: endpoint, S3_BUCKET: "shop", S3_ACCESS_KEY_ID: "a", S3_SECRET_ACCESS_KEY: "b" });
    const [finding] = await checkFiles(away, settings);
    expect(finding).toMatchObject({
      state: "fault",
      message: expect.stringMatching(/shop at http:\/\/127.0.0.1:\d+: .*ECONNREFUSED/),
      fix: expect.stringContaining("S3_"),
    });
  });
});
