import { expect, test } from "vitest";
import { multipart } from "#test/support/app/api.ts";
import { type TestTenant, testApp } from "#test/support/app/test-app.ts";
import { picturesWait, whilePicturesWait } from "#test/support/pictures/picture-process.ts";
import { photo, readPicture } from "#test/support/pictures/pictures.ts";
import { eventually } from "#test/support/time/eventually.ts";

const app = await testApp();
const picture = await photo(64, 48);
const form = multipart(picture, { purpose: "logo" });
const pathOf = (shop: TestTenant) => `/api/v1/projects/${shop.project_id}/assets/upload`;
const upload = (shop: TestTenant) =>
  app.api(shop.key).call("POST", pathOf(shop), { payload: form.payload, headers: { "content-type": form.type } });

test("a project whose share of waiting pictures is full is refused, others aren't, and clients who disconnect free the share", async () => {
  const [busy, calm] = [await app.tenant(), await app.tenant()];
  const live = await app.tenant({ livemode: true, merchant_id: busy.merchant_id, project_id: busy.project_id });
  const base = await (await app.server()).listen({ port: 0, host: "127.0.0.1" });
  const hangUp = new AbortController();
  const send = () =>
    fetch(`${base}${pathOf(busy)}`, {
      method: "POST",
      body: new Uint8Array(form.payload),
      headers: { authorization: `Bearer ${busy.key}`, "content-type": form.type },
      signal: hangUp.signal,
    }).catch((error: Error) => error.name);
  const owner = `${busy.project_id} test`;
  /** As many as uploads would be, without their requests. */
  const hold = (count: number) => Array.from({ length: count }, () => readPicture(picture, { owner, decode: false, logoSide: 64 }));
  const { refused, others, held, hungUp } = await whilePicturesWait(async () => {
    const held = hold(90);
    const sent = Array.from({ length: 10 }, send);
    await picturesWait(() => 100);
    const refused = await upload(busy);
    const others = [calm, live].map(upload);
    await picturesWait(() => 102);
    hangUp.abort();
    return { refused, others, held, hungUp: await Promise.all(sent) };
  });
  expect([refused.status, refused.headers["retry-after"], refused.body.error]).toEqual([
    503,
    "5",
    expect.objectContaining({ code: "service_unavailable", type: "api_error", request_id: expect.any(String) }),
  ]);
  expect(new Set(hungUp)).toEqual(new Set(["AbortError"]));
  expect((await Promise.all(others)).map(({ status }) => status)).toEqual([201, 201]);
  await Promise.all(held);
  await picturesWait(() => 0);
  // Not only the part of its share that no client left.
  const again = await whilePicturesWait(async () => {
    const held = hold(100);
    await picturesWait(() => 100);
    return held;
  });
  expect(await Promise.all(again)).toHaveLength(100);
  await eventually("an upload of the project that was full", async () => (await upload(busy)).status === 201);
});
