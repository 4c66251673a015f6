import { readdirSync, statSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import { spoolPath } from "#assets/index.ts";
import { parseApart } from "#requests/bodies/parse-apart.ts";
import { tierLimits } from "#test/routes/world.ts";
import { testApp } from "#test/support/app/test-app.ts";

export const megabyte = 1024 * 1024;
/** A small message. */
export const email = { from: "orders@tillpost.example", to: "ada@corner-readers.com", subject: "Hello", text: "Hello" };
const file = (bytes: number) => ({ filename: "big.bin", content: Buffer.alloc(bytes, 7).toString("base64") });

/** A message without attachments, as it is sent. */
export const plain = JSON.stringify(email);
/** A message with attachments of these sizes. */
export const attached = (...bytes: number[]) => ({ ...email, attachments: bytes.map(file) });

/** Where this process keeps the bodies that it is reading. */
export const spooled = () => readdirSync(dirname(spoolPath()));
/** The size of one of them; 0 if it is gone. */
export const sizeOnDisk = (name: string) => statSync(join(dirname(spoolPath()), name), { throwIfNoEntry: false })?.size ?? 0;

/** A server that listens, and a project whose emails may have large bodies. */
export async function openForLargeBodies() {
  const app = await testApp({ http: { tierLimits } });
  const server = await app.server();
  const origin = await server.listen({ port: 0, host: "127.0.0.1" });
  const shop = await app.tenant();

  async function post(path: string, payload: string | Buffer, headers: Record<string, string> = {}) {
    const answer = await fetch(origin + path, {
      method: "POST",
      headers: { authorization: `Bearer ${shop.key}`, "content-type": "application/json", ...headers },
      body: payload,
    });
    // biome-ignore lint/suspicious/noExplicitAny: a reply's shape is what the caller goes on to assert.
    return { status: answer.status, body: (await answer.json()) as any };
  }

  /** Holds each access to a stored file until it is let go. */
  function holdFiles() {
    const usual = { ...app.ctx.files };
    const opened = Promise.withResolvers<void>();
    let held = 0;
    const wait = () => {
      held += 1;
      return opened.promise;
    };
    Object.assign(app.ctx.files, {
      put: (key: string, bytes: Uint8Array) => wait().then(() => usual.put(key, bytes)),
      get: (key: string) => wait().then(() => usual.get(key)),
    });
    const letGo = () => {
      Object.assign(app.ctx.files, usual);
      opened.resolve();
    };
    onTestFinished(letGo);
    return { count: () => held, letGo };
  }

  return { origin, shop, api: app.api(shop.key), post, holdFiles };
}

/** Resolves when the bodies that arrived before have been parsed, which happens in their order. */
export async function parsedUntilNow(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "tillpost-bodies-"));
  await writeFile(join(folder, "last.json"), "{}");
  await parseApart(join(folder, "last.json"));
  await rm(folder, { recursive: true });
}
