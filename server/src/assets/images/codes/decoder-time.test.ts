import { expect, test } from "vitest";
import { drawGrey, hostileGreys } from "#test/support/pictures/hostile-grey.ts";
import { readWithin } from "./zxing.ts";

test("no search begins once a picture's processor time is used up, and each search is only charged for itself", async () => {
  const grey = drawGrey(hostileGreys["finders 14 pixels apart"] ?? (() => false), 400);
  const pgm = () => Buffer.concat([Buffer.from("P5 400 400 255\n"), grey.data]);
  const look = { hard: true, plain: false };
  const [used, one, other] = [{ leftMs: 0 }, { leftMs: 1 }, { leftMs: 10_000 }];
  let drawn = 0;
  const counted = () => {
    drawn += 1;
    return pgm();
  };
  await Promise.all([
    readWithin(used, counted, look),
    readWithin(one, counted, look),
    readWithin(one, counted, look),
    readWithin(other, counted, look),
  ]);
  expect(drawn).toBe(2);
  expect([used, one, other].map(({ leftMs }) => leftMs > 0)).toEqual([false, false, true]);
});
