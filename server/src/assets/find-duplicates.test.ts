import sharp, { type Sharp } from "sharp";
import { beforeAll, expect, test } from "vitest";
import { testApp } from "#test/support/app/test-app.ts";
import { type AssetRow, findAsset, findDuplicates, uploadAsset } from "./index.ts";

const app = await testApp();
const shop = await app.tenant();

/** What a wallet shows after a payment: the same but for two or three lines. */
function receipt(amount: string, time: string): Promise<Buffer> {
  const lines = ["Status: paid", `Time: ${time}`, `Number: 1000049901${time.replace(/\D/g, "")}`, "Method: balance"];
  const text = (y: number, size: number, words: string) =>
    `<text x="80" y="${y}" font-size="${size}" font-family="DejaVu Sans, Noto Sans, sans-serif">${words}</text>`;
  const body = [text(640, 56, "Corner Books"), text(800, 120, amount), ...lines.map((line, index) => text(1000 + index * 110, 42, line))];
  const circle = `<circle cx="540" cy="420" r="90" fill="#07c160"/>`;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="1080" height="2340"><rect width="1080" height="2340" fill="#f7f7f7"/>${circle}${body.join("")}</svg>`;
  return sharp(Buffer.from(svg)).png().toBuffer();
}

const upload = async (file: Buffer, tenant = shop): Promise<AssetRow> => {
  const { id } = await uploadAsset(app.ctx, tenant, { purpose: "payment_proof", file });
  return (await findAsset(app.ctx.db, tenant, id)) as AssetRow;
};
const duplicates = async (file: Buffer) => (await findDuplicates(app.ctx.db, await upload(file))).map(({ id }) => id);

let original: Buffer;
let first: AssetRow;
beforeAll(async () => {
  original = await receipt("-99.00", "2026-11-20 16:00:01");
  first = await upload(original);
  await upload(original, await app.tenant());
});

const copies: Record<string, (picture: Sharp) => Sharp> = {
  "the very file": (picture) => picture.png(),
  "saved as JPEG": (picture) => picture.jpeg({ quality: 60 }),
  "sent through a messenger, at half its size": (picture) => picture.resize(540).jpeg({ quality: 50 }),
  "as WebP of another width": (picture) => picture.resize(800).webp({ quality: 70 }),
};
for (const [how, change] of Object.entries(copies)) {
  test(`recognizes the picture: ${how}`, async () => {
    expect(await duplicates(await change(sharp(original)).toBuffer())).toContain(first.id);
  });
}

const others: Record<string, () => Promise<Buffer>> = {
  "another amount": () => receipt("-98.00", "2026-11-20 16:00:01"),
  "the same amount at another time": () => receipt("-99.00", "2026-11-21 09:12:44"),
  "another amount at another time": () => receipt("-1250.50", "2026-11-23 11:32:17"),
};
for (const [what, make] of Object.entries(others)) {
  test(`doesn't mistake a receipt of the same app with ${what} for it`, async () => {
    expect(await duplicates(await make())).not.toContain(first.id);
  });
}
