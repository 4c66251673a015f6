import sharp from "sharp";
import { expect, test } from "vitest";
import { testApp } from "#test/support/app/test-app.ts";
import { animatedWebp, pngWithStuffedChunk } from "#test/support/pictures/pictures.ts";

const app = await testApp({ http: { perMinuteUnauthenticated: 1_000 } });
const shop = await app.tenant();
const path = `/api/v1/projects/${shop.project_id}/assets/upload`;

test.each<[string, () => Buffer | Promise<Buffer>]>([
  ["a PNG whose text unpacks to 100 MB", () => pngWithStuffedChunk("zTXt", 100)],
  ["an animation of 2 000 frames", () => animatedWebp(2_000)],
])("%s is drawn again, and nothing else of it is stored", async (_what, make) => {
  const { status, text, body } = await app.api(shop.key).upload(path, await make(), { purpose: "payment_proof" });
  expect(status, text).toBe(201);
  const stored = (await (await app.server()).inject(body.url.replace(app.ctx.publicUrl, ""))).rawPayload;
  const metadata = await sharp(stored).metadata();
  expect(metadata).toMatchObject({ format: "jpeg", space: "srgb", width: body.width, height: body.height });
  expect([metadata.exif, metadata.icc, metadata.xmp]).toEqual([undefined, undefined, undefined]);
  expect(stored.length).toBeLessThan(10_000);
});
