import sharp from "sharp";
import { expect, test } from "vitest";
import { alipay, code, distortions, flat, onPhoto, wechat } from "#test/support/pictures/distorted-codes.ts";
import { readCodes } from "#test/support/pictures/pictures.ts";
import { decodeQr } from "./decode-qr.ts";
import { greyOf } from "./look-again.ts";

for (const [how, make] of Object.entries(distortions)) {
  test(`reads a code ${how}`, async () => {
    expect(await readCodes(await make())).toEqual([wechat]);
  });
}

test.each<[string, { easy: string[]; again: string[][] }, { sizes: (number | null)[]; looks: number; found: string[] }]>([
  [
    "nothing but the first look where that finds a code",
    { easy: [wechat], again: [[alipay]] },
    { sizes: [1600], looks: 0, found: [wechat] },
  ],
  [
    "the next look only while nothing is found",
    { easy: [], again: [[], [wechat], [alipay]] },
    { sizes: [1600], looks: 2, found: [wechat] },
  ],
  ["every look where there is nothing", { easy: [], again: [[], []] }, { sizes: [1600], looks: 2, found: [] }],
])("takes %s", async (_what, { easy, again }, { sizes, looks, found }) => {
  const drawn = { sizes: [] as (number | null)[], looks: 0 };
  const read = await decodeQr({
    grey: (side) => {
      drawn.sizes.push(side);
      return greyWith(easy);
    },
    *again() {
      for (const texts of again) {
        drawn.looks += 1;
        yield { grey: () => greyWith(texts) };
      }
    },
  });
  expect([read, drawn]).toEqual([found, { sizes, looks }]);
});

function greyWith(texts: string[]) {
  const [text] = texts;
  return greyOf(text === undefined ? sharp({ create: { width: 360, height: 360, channels: 3, background: "#fff" } }) : code(text));
}

test("preserves capitals as printed", async () => {
  expect(await readCodes(await flat(code(alipay)))).toEqual([alipay]);
});

test("reports both codes if they differ", async () => {
  const both = await onPhoto(600, 400, [
    { text: wechat, side: 200, left: 50, top: 100 },
    { text: alipay, side: 200, left: 350, top: 100 },
  ]);
  expect((await readCodes(both))?.sort()).toEqual([alipay, wechat].sort());
});

test("treats one code printed twice as one", async () => {
  const twice = await onPhoto(600, 400, [
    { text: wechat, side: 200, left: 50, top: 100 },
    { text: wechat, side: 160, left: 350, top: 100 },
  ]);
  expect(await readCodes(twice)).toEqual([wechat]);
});

test("finds nothing without a code", async () => {
  expect(await readCodes(await onPhoto(320, 200, []))).toEqual([]);
});
