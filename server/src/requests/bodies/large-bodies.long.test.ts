import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { attached, megabyte, openForLargeBodies, parsedUntilNow, plain, sizeOnDisk, spooled } from "#test/support/messages/large-bodies.ts";

const { origin, shop, api, post, holdFiles } = await openForLargeBodies();
const client = fileURLToPath(new URL("../../../test/support/network/body-client.ts", import.meta.url));
const message = (bytes: number) =>
  JSON.stringify({
    ...{ from: "orders@tillpost.example", to: "ada@corner-readers.com", subject: "Hello", text: "Hello" },
    attachments: [{ filename: "big.bin", content: Buffer.alloc(bytes, 7).toString("base64") }],
  });

const heldMb = () => process.memoryUsage.rss() / megabyte;
const blanks = Buffer.alloc(20 * megabyte, 0x20);

/** Begins a request of so many bytes and sends the first 20 MB of them. */
function begin(declared: number): Promise<Socket> {
  const head = `POST /v1/emails HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${shop.key}\r\nContent-Type: application/json\r\nContent-Length: ${declared}\r\n\r\n`;
  return new Promise((resolve) => {
    const socket = connect(Number(new URL(origin).port), "127.0.0.1");
    socket.on("error", () => {});
    socket.write(head);
    socket.write(blanks, () => resolve(socket));
  });
}

const spooledMb = () => spooled().reduce((sum, name) => sum + sizeOnDisk(name), 0) / megabyte;

test("senders that stall hold no memory, and leave nothing behind when they hang up", async () => {
  const known = new Set(spooled());
  const left = () => spooled().filter((name) => !known.has(name)).length;
  // What the process needs for any large body isn't held by those that stall.
  const first = await begin(30 * megabyte);
  await expect.poll(spooledMb, { interval: 20 }).toBeGreaterThanOrEqual(15);
  first.destroy();
  await expect.poll(left).toBe(0);
  const before = heldMb();
  const sockets = await Promise.all(Array.from({ length: 8 }, () => begin(30 * megabyte)));
  await expect.poll(spooledMb, { interval: 20 }).toBeGreaterThanOrEqual(150);
  const held = heldMb() - before;
  expect((await post("/v1/emails", JSON.stringify(attached(5 * megabyte)))).status).toBe(201);
  for (const socket of sockets) socket.destroy();
  await expect.poll(left).toBe(0);
  expect(held, "160 MB were sent").toBeLessThan(80);
});

/** Requests a path six times at once from another process. Returns how often each response occurred, and how much this process grew. */
async function sixTimes(path: string, body: string): Promise<{ answers: Record<string, number>; grownMb: number }> {
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

test("with a byte more than 25 MB of attachments nothing is sent", async () => {
  const before = (await api.get("/v1/emails?include=total_count")).body.total_count;
  const over = await post("/v1/emails", JSON.stringify(attached(10 * megabyte, 15 * megabyte + 1)));
  expect(over.body.error).toMatchObject({ code: "attachment_invalid", param: "attachments" });
  expect((await api.get("/v1/emails?include=total_count")).body.total_count).toBe(before);
});

test("attachments of 25 MB are accepted, in one message and in a batch, and of two such requests only one is in memory", async () => {
  const full = attached(10 * megabyte, 15 * megabyte);
  const bodies = [JSON.stringify(full), JSON.stringify([full])] as const;
  const known = new Set(spooled());
  const onDisk = () =>
    spooled()
      .filter((name) => !known.has(name))
      .map(sizeOnDisk);
  const waits = () => bodies.some((body) => onDisk().join() === String(body.length));
  const storing = holdFiles();
  const sending = [post("/v1/emails", bodies[0]), post("/v1/emails/batch", bodies[1])] as const;
  await expect.poll(() => [storing.count(), waits()]).toEqual([1, true]);
  await parsedUntilNow();
  expect((await post("/v1/emails", plain)).status).toBe(201);
  expect([storing.count(), waits()]).toEqual([1, true]);
  storing.letGo();
  const [single, batch] = await Promise.all(sending);
  expect([single.status, batch.body.accepted]).toEqual([201, 1]);

  const ids: string[] = [single.body.id, batch.body.data[0].id];
  for (const id of ids) {
    const { attachments } = (await api.get(`/v1/emails/${id}`)).body;
    expect(attachments.map(({ size_bytes }: { size_bytes: number }) => size_bytes)).toEqual([10 * megabyte, 15 * megabyte]);
  }
  const reading = holdFiles();
  const headers = { authorization: `Bearer ${shop.key}` };
  const sources = ids.map(async (id) => (await (await fetch(`${origin}/v1/emails/${id}/source`, { headers })).arrayBuffer()).byteLength);
  await expect.poll(reading.count).toBe(1);
  for (let n = 0; n < 3; n += 1) expect((await post("/v1/emails", plain)).status).toBe(201);
  expect(reading.count()).toBe(1);
  reading.letGo();
  for (const bytes of await Promise.all(sources)) expect(bytes).toBeGreaterThan(33 * megabyte);
});

test("attachments of 25 MB are accepted and a byte more isn't; of two such requests, or two for its source, only one is in memory", async () => {
  const count = async () => (await api.get("/v1/emails?include=total_count")).body.total_count;
  const before = await count();
  const full = JSON.stringify(attached(10 * megabyte, 15 * megabyte));
  const over = JSON.stringify(attached(10 * megabyte, 15 * megabyte + 1));
  const known = new Set(spooled());
  const onDisk = () =>
    spooled()
      .filter((name) => !known.has(name))
      .map(sizeOnDisk)
      .join();
  const storing = holdFiles();
  const accepted = post("/v1/emails", full);
  await expect.poll(storing.count).toBe(1);
  const refused = post("/v1/emails", over);
  await expect.poll(onDisk).toBe(String(over.length));
  await parsedUntilNow();
  expect((await post("/v1/emails", plain)).status).toBe(201);
  expect([storing.count(), onDisk()]).toEqual([1, String(over.length)]);
  storing.letGo();
  const { status, body } = await accepted;
  expect(status).toBe(201);
  expect((await refused).body.error).toMatchObject({ code: "attachment_invalid", param: "attachments" });
  expect(await count()).toBe(before + 2);
  const { attachments } = (await api.get(`/v1/emails/${body.id}`)).body;
  expect(attachments.map(({ size_bytes }: { size_bytes: number }) => size_bytes)).toEqual([10 * megabyte, 15 * megabyte]);

  const reading = holdFiles();
  const leaving = new AbortController();
  const request = { headers: { authorization: `Bearer ${shop.key}` } };
  const source = fetch(`${origin}/v1/emails/${body.id}/source`, request);
  const left = fetch(`${origin}/v1/emails/${body.id}/source`, { ...request, signal: leaving.signal }).catch(() => null);
  await expect.poll(reading.count).toBe(1);
  expect((await post("/v1/emails", plain)).status).toBe(201);
  expect(reading.count()).toBe(1);
  leaving.abort();
  await left;
  reading.letGo();
  expect((await (await source).arrayBuffer()).byteLength).toBeGreaterThan(33 * megabyte);
});
