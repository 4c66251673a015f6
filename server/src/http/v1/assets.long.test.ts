import { expect, test } from "vitest";
import { testApp } from "#test/support/app/test-app.ts";
import { expectDrawnAgain } from "#test/support/pictures/drawn-again.ts";
import { animatedWebp, pngWithStuffedChunk } from "#test/support/pictures/pictures.ts";

const app = await testApp({ http: { perMinuteUnauthenticated: 1_000 } });
const shop = await app.tenant();
const path = `/api/v1/projects/${shop.project_id}/assets/upload`;

test.each<[string, () => Buffer | Promise<Buffer>]>([
  ["a PNG whose text unpacks to 30 MB", () => pngWithStuffedChunk("zTXt", 30)],
  ["a PNG whose text unpacks to 100 MB", () => pngWithStuffedChunk("zTXt", 100)],
  ["an animation of 2 000 frames", () => animatedWebp(2_000)],
])("%s is drawn again, and nothing else of it is stored", async (_what, make) => {
  const { status, text, body } = await app.api(shop.key).upload(path, await make(), { purpose: "payment_proof" });
  expect(status, text).toBe(201);
  const stored = (await (await app.server()).inject(body.url.replace(app.ctx.publicUrl, ""))).rawPayload;
  await expectDrawnAgain(stored, body);
  expect(stored.length).toBeLessThan(10_000);
});
