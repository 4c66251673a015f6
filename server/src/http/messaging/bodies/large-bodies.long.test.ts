import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { tierLimits } from "#test/routes/world.ts";
import { testApp } from "#test/support/app/test-app.ts";

const app = await testApp({ http: { tierLimits } });
const server = await app.server();
const origin = await server.listen({ port: 0, host: "127.0.0.1" });
const shop = await app.tenant();
const megabyte = 1024 * 1024;
const client = fileURLToPath(new URL("../../../../test/support/network/body-client.ts", import.meta.url));
const message = (bytes: number) =>
  JSON.stringify({
    ...{ from: "orders@tillpost.example", to: "ada@corner-readers.com", subject: "Hello", text: "Hello" },
    attachments: [{ filename: "big.bin", content: Buffer.alloc(bytes, 7).toString("base64") }],
  });

/** Requests a path six times at once from another process. Returns how often each response occurred, and how much this process grew. */
async function sixTimes(path: string, body: string): Promise<{ answers: Record<string, number>; grownMb: number }> {
  const heldMb = () => process.memoryUsage.rss() / megabyte;
  const before = heldMb();
  let peak = before;
  const watch = setInterval(() => {
    peak = Math.max(peak, heldMb());
  }, 20);
  const { stdout } = await promisify(execFile)(process.execPath, [client, origin + path, shop.key, body, "6"]);
  clearInterval(watch);
  const grownMb = Math.round(peak - before);
  console.info(`${path}: grown ${grownMb} MB`);
  return { answers: JSON.parse(stdout), grownMb };
}

test("six concurrent bodies of 30 MB are all accepted, in bounded memory", async () => {
  const folder = await mkdtemp(join(tmpdir(), "tillpost-bodies-"));
  const path = join(folder, "body.json");
  await writeFile(path, message(22 * megabyte));
  const { answers, grownMb } = await sixTimes("/v1/emails", path);
  await rm(folder, { recursive: true });
  expect(answers).toEqual({ 201: 6 });
  expect(grownMb).toBeLessThan(500);
});

test("six concurrent requests for sources of 25 MB all get responses, in bounded memory", async () => {
  const made = await fetch(`${origin}/v1/emails`, {
    method: "POST",
    headers: { authorization: `Bearer ${shop.key}`, "content-type": "application/json" },
    body: message(25 * megabyte),
  });
  const { id } = (await made.json()) as { id: string };
  const { answers, grownMb } = await sixTimes(`/v1/emails/${id}/source`, "");
  expect(answers).toEqual({ 200: 6 });
  expect(grownMb).toBeLessThan(400);
});
