import { connect } from "node:net";
import { expect, test } from "vitest";
import { testApp } from "#test/support/app/test-app.ts";
import { noise, pngBomb } from "#test/support/pictures/pictures.ts";
import { uploadStorm } from "#test/support/pictures/upload-storm.ts";

const app = await testApp();
const largest = () => noise(5000, 5000, 30).blur(1.2);

const storms = {
  "photos of 25 megapixels and 4.5 MB": {
    purpose: "payment_proof",
    make: () => largest().jpeg({ quality: 85, progressive: true }).toBuffer(),
  },
  "photos of 25 megapixels without the code that is looked for": {
    purpose: "collection_qr",
    make: () => largest().jpeg({ quality: 85 }).toBuffer(),
  },
  "WebP of 25 megapixels without the code that is looked for": {
    purpose: "collection_qr",
    make: () => largest().webp({ quality: 70 }).toBuffer(),
  },
  "PNG of 25 megapixels": { purpose: "payment_proof", make: async () => pngBomb(5000, true) },
};
for (const [what, { purpose, make }] of Object.entries(storms)) {
  test(`fifty concurrent uploads of ${what} cost less than 300 MB, and other requests are served during that time`, async () => {
    const shop = await app.tenant();
    const file = await make();
    const storm = await uploadStorm(app, { shop, file, count: 50, purpose, warmUps: 50 });
    console.log(what, `${(file.length / 1e6).toFixed(1)} MB each`, storm);
    expect(storm.answers).toEqual({ 201: 50 });
    expect(storm.grownMb).toBeLessThan(300);
    expect(storm.readP50Ms).toBeLessThan(100);
  });
}

test("uploads of one byte a second end, and delay no one", async () => {
  const shop = await app.tenant();
  const server = await app.server();
  await server.listen({ port: 0, host: "127.0.0.1" }).catch(() => {});
  const { port } = server.server.address() as { port: number };
  const head = `POST /api/v1/projects/${shop.project_id}/assets/upload HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${shop.key}\r\ncontent-type: multipart/form-data; boundary=B\r\ncontent-length: 500000\r\n\r\n--B\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\n`;
  const start = performance.now();
  const ended = Array.from({ length: 50 }, () => {
    const socket = connect(port, "127.0.0.1");
    socket.resume();
    socket.write(head);
    const drip = setInterval(() => socket.writable && socket.write("x"), 1000);
    return new Promise<number>((resolve) => {
      socket.on("error", () => {});
      socket.on("close", () => {
        clearInterval(drip);
        resolve(performance.now() - start);
      });
    });
  });
  expect((await app.api(shop.key).get(`/api/v1/projects/${shop.project_id}/collection-profiles`)).status).toBe(200);
  // A minute, and up to half a minute until Node looks.
  expect(Math.max(...(await Promise.all(ended)))).toBeLessThan(120_000);
});
