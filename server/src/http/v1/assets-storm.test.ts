import { expect, test } from "vitest";
import { testApp } from "#test/support/app/test-app.ts";
import { noise } from "#test/support/pictures/pictures.ts";
import { uploadStorm } from "#test/support/pictures/upload-storm.ts";

test("concurrent uploads cost less than 300 MB", async () => {
  const app = await testApp();
  const shop = await app.tenant();
  const file = await noise(1800, 1800, 30).blur(1.2).jpeg({ quality: 95, progressive: true }).toBuffer();
  const storm = await uploadStorm(app, { shop, file, count: 12, purpose: "payment_proof", warmUps: 10 });
  expect(storm.answers).toEqual({ 201: 12 });
  expect(storm.grownMb).toBeLessThan(300);
});
