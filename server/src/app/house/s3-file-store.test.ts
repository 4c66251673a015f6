import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type S3Options, s3FileStore } from "./s3-file-store.ts";
import { signS3Request } from "./sign-s3-request.ts";

/** Published by Amazon as worked examples of the signature. */
const example = { region: "us-east-1", accessKeyId: "AKIAIOSFODNN7EXAMPLE", secretAccessKey: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY" };
const at = new Date("2013-05-24T00:00:00Z");

describe("signS3Request", () => {
  it.each([
    ["GET", "https://examplebucket.s3.amazonaws.com/test.txt", { range: "bytes=0-9" }, "", "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41"],
    [
      "PUT",
      "https://examplebucket.s3.amazonaws.com/test%24file.text",
      { date: "Fri, 24 May 2013 00:00:00 GMT", "x-amz-storage-class": "REDUCED_REDUNDANCY" },
      "Welcome to Amazon S3.",
      "98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd",
    ],
  ])("signs the published %s as published", (method, url, headers, body, signature) => {
    const signed = signS3Request(example, { method, url: new URL(url), headers: headers as unknown as Record<string, string>, body: Buffer.from(body), at });
    expect(signed["authorization"]).toMatch(new RegExp(`Signature=${signature}$`));
  });
});

describe("s3FileStore", () => {
  const kept = new Map<string, Buffer>();
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
        if (request.method === "PUT") kept.set(path, Buffer.concat(parts));
        const found = kept.get(path);
        if (request.method === "DELETE") kept.delete(path);
        response
          .writeHead(request.method === "GET" && found === undefined ? 404 : request.method === "DELETE" ? 204 : 200)
          .end(request.method === "GET" ? found : undefined);
      });
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    options = { ...example, endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, bucket: "shop" };
  });
  afterAll(() => void server.close());

  it("keeps, returns and forgets bytes under bucket and key", async () => {
    const files = s3FileStore(options);
    const bytes = Buffer.from([0, 255, 1, 2]);
    await files.put("ab/cd", bytes);
    expect([...kept.keys()]).toEqual(["/shop/ab/cd"]);
    expect(await files.get("ab/cd")).toEqual(bytes);
    await files.remove("ab/cd");
    await files.remove("ab/cd");
    expect(await files.get("ab/cd")).toBeNull();
  });

  it("asks a faltering store again, a refusing one only once", async () => {
    const files = s3FileStore(options);
    troubles = [503, 500];
    await files.put("kept", Buffer.from("x"));
    expect(String(await files.get("kept"))).toBe("x");
    troubles = [403, 418];
    await expect(files.get("kept")).rejects.toThrow("the file store refuses with 403: AccessDenied");
    expect(troubles).toEqual([418]);
    troubles = [500, 500, 500];
    await expect(files.remove("kept")).rejects.toThrow("does not answer: 500");
  });

  it("never asks for what is no key", async () => {
    await expect(s3FileStore(options).get("../other-bucket/secret")).rejects.toThrow("not a file key");
  });
});
