import { expect, test } from "vitest";
import { picturesWait, whilePicturesWait } from "#test/support/pictures/picture-process.ts";
import { newSenders, sendAcrossDeath, small } from "#test/support/pictures/picture-senders.ts";
import { pngBomb } from "#test/support/pictures/pictures.ts";

const largest = pngBomb(5_000, true);

test("pictures survive the death of the process that reads them, and damaged ones are refused by the next", async () => {
  const { read, refused } = await sendAcrossDeath();
  expect(read).toEqual(Array(4).fill("calm"));
  expect(refused.filter((one) => one === "busy image_unreadable").length).toBe(100);
});

test("one of the largest pictures isn't overtaken by all the small ones of another project", async () => {
  const senders = newSenders();
  await whilePicturesWait(async () => {
    senders.send({ owner: "busy", picture: small, count: 25 });
    await picturesWait(() => 25);
    senders.send({ owner: "calm", picture: largest, count: 1 });
    await picturesWait(() => 26);
  });
  await senders.end();
  expect(senders.read.indexOf("calm")).toBeLessThan(10);
});

test("a small picture waits for one of another project's largest, not for all that the process has", async () => {
  const senders = newSenders();
  await whilePicturesWait(async () => {
    senders.send({ owner: "busy", picture: largest, count: 2 });
    await picturesWait(() => 2);
    senders.send({ owner: "calm", picture: small, count: 1 });
    await picturesWait(() => 3);
  });
  await senders.end();
  expect(senders.read.indexOf("calm")).toBeLessThan(2);
});
