import { expect, test } from "vitest";
import { furtherDistortions, wechat } from "#test/support/pictures/distorted-codes.ts";
import { readCodes } from "#test/support/pictures/pictures.ts";

for (const [how, make] of Object.entries(furtherDistortions)) {
  test(`reads a code ${how}`, async () => {
    expect(await readCodes(await make())).toEqual([wechat]);
  });
}
