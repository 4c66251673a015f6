import { expect, test } from "vitest";
import { testApp } from "#test/support/app/test-app.ts";
import { largePhoto } from "#test/support/pictures/pictures.ts";
import { uploadStorm } from "#test/support/pictures/upload-storm.ts";

test("concurrent uploads cost less than 300 MB", async () => {
  const app = await testApp();
  const shop = await app.tenant();
  // Decoding it takes as much memory as a photo's noise, and a fraction of the time.
  const file = await largePhoto(1800, 1800, true);
  const storm = await uploadStorm(app, { shop, file, count: 12, purpose: "payment_proof", warmUps: 10 });
  expect(storm.answers).toEqual({ 201: 12 });
  expect(storm.grownMb).toBeLessThan(300);
});
