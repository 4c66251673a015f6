import { afterAll, expect, test } from "vitest";
import { testApp } from "#test/support/app/test-app.ts";
import { eventually } from "#test/support/time/eventually.ts";
import { emitSome } from "#test/support/webhooks/webhook-world.ts";
import { fanOut } from "../delivery/fan-out.ts";
import { watchEvents } from "./watch-events.ts";

const app = await testApp();
const watch = watchEvents(app.ctx);
afterAll(() => watch.close());
/** Dozens of pages. */
const many = 3_600;

const number = async () => {
  while ((await fanOut(app.ctx, 5_000)) > 0);
};

test("a stream with thousands of events to read doesn't keep another tenant's waiting, and gets all of them in order", async () => {
  const [busy, calm] = [await app.tenant(), await app.tenant()];
  for (let emitted = 0; emitted < many; emitted += 900) await emitSome(app.ctx, busy, 900);
  await emitSome(app.ctx, calm, 1);
  await number();
  const read: number[] = [];
  watch.follow(busy, 0, ({ sequence }) => void read.push(sequence));
  await eventually("a first page", () => read.length > 0);
  const readBefore = await new Promise<number>((resolve) => watch.follow(calm, 0, () => resolve(read.length)));
  expect(readBefore).toBeLessThan(many);
  await eventually(
    () => `all events; ${read.length} were read`,
    () => read.length === many,
  );
  expect(read).toEqual([...read].sort((one, other) => one - other));
});

test("a stream gets what is numbered while it reads, and nothing after it ended", async () => {
  const shop = await app.tenant();
  await emitSome(app.ctx, shop, 250);
  await number();
  const read: string[] = [];
  const stop = watch.follow(shop, 0, ({ id }) => void read.push(id));
  for (let round = 0; round < 5; round += 1) {
    await emitSome(app.ctx, shop, 10);
    await number();
  }
  await eventually(
    () => `300 events; ${read.length} were read`,
    () => read.length === 300,
  );
  expect(new Set(read).size).toBe(300);
  stop();
  await emitSome(app.ctx, shop, 1);
  await number();
  const other = await new Promise<string>((resolve) => watch.follow(shop, 0, ({ id }) => resolve(id)));
  expect([read.length, read[0]]).toEqual([300, other]);
});
