import sharp from "sharp";
import { describe, expect, test } from "vitest";
import { drawQrPng, useAsset } from "#assets/index.ts";
import { multipart } from "#test/support/app/api.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { expectDrawnAgain } from "#test/support/pictures/drawn-again.ts";
import {
  animatedWebp,
  jpegClaiming,
  jpegOfSloppyPhone,
  noise,
  notPictures,
  photo,
  pngBomb,
  pngWithStuffedChunk,
} from "#test/support/pictures/pictures.ts";
import { type Good, type Refusal, refusalsIn } from "#test/support/refusals/refusals.ts";

const app = await testApp({ http: { perMinuteUnauthenticated: 1_000 } });
const shop = await app.tenant();
const as = app.api(shop.key);
const path = `/api/v1/projects/${shop.project_id}/assets/upload`;
const ordinary = await photo(300, 200);

const upload = (file: Uint8Array, purpose = "payment_proof") => as.upload(path, file, { purpose });
const open = (url: string) => app.api(null).call("GET", url.replace(app.ctx.publicUrl, ""));
const storedBytes = async (url: string) => (await (await app.server()).inject(url.replace(app.ctx.publicUrl, ""))).rawPayload;

const refusals = refusalsIn(app);
const form = multipart(ordinary, { purpose: "logo" });
refusals("POST /api/v1/projects/:projectId/assets/upload", () => ({ payload: form.payload, headers: { "content-type": form.type } }), [
  { name: "no form", payload: "{}", headers: { "content-type": "application/json" }, status: 415, code: "unsupported_media_type" },
]);
const uploaded: Good = async (owner) => {
  const answer = await app.api(owner.key).upload(`/api/v1/projects/${owner.project_id}/assets/upload`, ordinary, { purpose: "logo" });
  return { params: { id: answer.body.id } };
};
const leanOn: Refusal["given"] = async (owner, { params }) => {
  await app.ctx.transact((tx) => useAsset(tx, owner, { asset_id: params?.["id"] ?? "", used_by: "vch_1" }));
};
refusals("DELETE /api/v1/assets/:id", uploaded, [
  { name: "a picture that something leans on", given: leanOn, status: 409, code: "asset_in_use" },
]);

describe("what isn't a picture is refused", () => {
  for (const [what, bytes] of Object.entries(notPictures)) {
    test(what, async () => {
      const answer = await upload(bytes);
      expect([answer.status, answer.body.error.code]).toEqual(
        bytes.length === 0 ? [400, "parameter_missing"] : [415, "unsupported_media_type"],
      );
    });
  }
});

const unreadable: Record<string, () => Buffer | Promise<Buffer>> = {
  "a JPEG cut short": () => ordinary.subarray(0, ordinary.length / 2),
  "a PNG cut short": async () => (await sharp(ordinary).png().toBuffer()).subarray(0, 4000),
  "a WebP cut short": async () => {
    const webp = await sharp(ordinary).webp().toBuffer();
    return webp.subarray(0, webp.length / 4);
  },
  "a PNG in name alone": () => Buffer.concat([Buffer.from("89504e470d0a1a0a", "hex"), Buffer.alloc(500, 7)]),
  "a PNG with a broken checksum": async () => {
    const png = await sharp(ordinary).png().toBuffer();
    png[200] = (png[200] ?? 0) ^ 255;
    return png;
  },
};
const tooManyPixels: Record<string, () => Buffer | Promise<Buffer>> = {
  "a PNG of 26 megapixels": () => pngBomb(5_100, true),
  "a PNG that unpacks to 256 megapixels": () => pngBomb(16_000, true),
  "a PNG that claims 65535 × 65535": () => pngBomb(65_535, false),
  "a JPEG that claims 65500 × 65500": () => jpegClaiming(ordinary, 65_500),
};
describe("what can't be read completely is refused", () => {
  for (const [what, make] of Object.entries(unreadable)) {
    test(what, async () => {
      const file = await make();
      const answer = await upload(file);
      expect([answer.status, answer.body.error.code, answer.body.error.reason]).toEqual([422, "image_unreadable", "damaged"]);
    });
  }
});
describe("what has too many pixels is refused with a specific message", () => {
  for (const [what, make] of Object.entries(tooManyPixels)) {
    test(what, async () => {
      const answer = await upload(await make());
      expect([answer.status, answer.body.error.code, answer.body.error.reason]).toEqual([422, "too_many_pixels", "too_many_pixels"]);
      expect(answer.body.error.message).toMatch(/^The image has \d+\.\d megapixels; the limit is 25\.$/);
    });
  }
});

const strange: Record<string, () => Buffer | Promise<Buffer>> = {
  "a JPEG with a web page behind it": () => Buffer.concat([ordinary, Buffer.from("<html><script>alert(1)</script>")]),
  "a JPEG with a ZIP behind it": () => Buffer.concat([ordinary, Buffer.from("PK\u0003\u0004<script>")]),
  "a photo that tells where it was taken": () =>
    sharp(ordinary)
      .withExif({ IFD0: { Software: "<script>" }, IFD3: { GPSLatitude: "39/1 54/1 0/1", GPSLatitudeRef: "N" } })
      .jpeg()
      .toBuffer(),
  "a PNG whose colour profile unpacks to 20 MB": () => pngWithStuffedChunk("iCCP", 20),
  "an animation of 500 frames": () => animatedWebp(500),
  "a picture for print (CMYK)": () => noise(150, 100).toColourspace("cmyk").jpeg().toBuffer(),
  "a PNG of 16 bits a colour": () => noise(150, 100).toColourspace("rgb16").png().toBuffer(),
  "a photo with the slip of a phone's firmware": () => jpegOfSloppyPhone(ordinary),
  "a photo with a video behind it": () => Buffer.concat([ordinary, Buffer.alloc(200_000, 3)]),
  "a progressive photo lying on its side": () => sharp(ordinary).withMetadata({ orientation: 6 }).jpeg({ progressive: true }).toBuffer(),
};
describe("a readable picture is drawn again, and nothing else of it is stored", () => {
  for (const [what, make] of Object.entries(strange)) {
    test(what, async () => {
      const answer = await upload(await make());
      expect(answer.status, answer.text).toBe(201);
      await expectDrawnAgain(await storedBytes(answer.body.url), answer.body);
    });
  }

  test("a logo preserves its transparency, as PNG", async () => {
    const answer = await upload(
      await sharp({ create: { width: 1500, height: 300, channels: 4, background: "#0af8" } })
        .png()
        .toBuffer(),
      "logo",
    );
    expect(answer.body).toMatchObject({ content_type: "image/png", width: 1024, height: 205, decoded: null, decode_fault: null });
    expect((await sharp(await storedBytes(answer.body.url)).metadata()).hasAlpha).toBe(true);
  });
});

describe("sizes", () => {
  test("the photo of a current phone, of 5712 × 4284 pixels, is accepted completely", async () => {
    const grey = sharp({ create: { width: 5_712, height: 4_284, channels: 3, background: "#888" } });
    const answer = await upload(await grey.jpeg({ quality: 60 }).toBuffer());
    expect([answer.status, answer.body.width, answer.body.height]).toEqual([201, 5_712, 4_284]);
  });
  test("one byte above 5 MB is refused", async () => {
    const answer = await upload(Buffer.concat([ordinary, Buffer.alloc(5 * 1024 * 1024 + 1 - ordinary.length)]));
    expect([answer.status, answer.body.error.code]).toEqual([413, "file_too_large"]);
  });
  test("exactly 5 MB is accepted", async () => {
    expect((await upload(Buffer.concat([ordinary, Buffer.alloc(5 * 1024 * 1024 - ordinary.length)]))).status).toBe(201);
  });
  test("a logo above 512 KB is refused", async () => {
    const answer = await upload(Buffer.concat([ordinary, Buffer.alloc(512 * 1024)]), "logo");
    expect([answer.status, answer.body.error.code]).toEqual([413, "file_too_large"]);
  });
});

describe("the form", () => {
  const names = ["../../etc/passwd", "a\u0000.png", "\u202egnp.exe", `${"n".repeat(300)}.png`, "<svg onload=alert(1)>.png"];
  for (const name of names) {
    test(`a file called ${JSON.stringify(name.slice(0, 20))} is stored under our own name`, async () => {
      const { payload, type } = multipart(ordinary, { purpose: "payment_proof" });
      const named = Buffer.from(
        payload.toString("latin1").replace("picture.png", () => Buffer.from(name).toString("latin1")),
        "latin1",
      );
      const answer = await as.call("POST", path, { payload: named, headers: { "content-type": type } });
      expect([201, 400]).toContain(answer.status);
      expect(answer.text).not.toContain("passwd");
    });
  }

  const refusals: { what: string; payload: Buffer; type: string; status: number; code: string }[] = [
    { what: "JSON", payload: Buffer.from(`{"purpose":"logo"}`), type: "application/json", status: 415, code: "unsupported_media_type" },
    { what: "no file", ...formOf(["purpose", "logo"]), status: 400, code: "parameter_missing" },
    { what: "no purpose", ...formOf([], 1), status: 400, code: "parameter_missing" },
    { what: "an unknown purpose", ...formOf(["purpose", "virus"], 1), status: 400, code: "parameter_invalid" },
    { what: "an unknown field", ...formOf(["purpose", "logo", "extra", "1"], 1), status: 400, code: "parameter_unknown" },
    { what: "two files", ...formOf(["purpose", "logo"], 2), status: 400, code: "parameter_invalid" },
    {
      what: "a thousand fields",
      ...formOf(
        Array.from({ length: 2000 }, (_, index) => `f${index}`),
        1,
      ),
      status: 400,
      code: "parameter_invalid",
    },
    {
      what: "half a form",
      payload: formOf(["purpose", "logo"], 1).payload.subarray(0, 300),
      type: formOf([]).type,
      status: 400,
      code: "parameter_invalid",
    },
  ];
  for (const { what, payload, type, status, code } of refusals) {
    test(`with ${what} is refused, leaving nothing behind`, async () => {
      const answer = await as.call("POST", path, { payload, headers: { "content-type": type } });
      expect([answer.status, answer.body.error.code]).toEqual([status, code]);
    });
  }

  function formOf(fields: string[], files = 0): { payload: Buffer; type: string } {
    const parts: Buffer[] = [];
    for (let index = 0; index < fields.length; index += 2)
      parts.push(Buffer.from(`--B\r\ncontent-disposition: form-data; name="${fields[index]}"\r\n\r\n${fields[index + 1]}\r\n`));
    for (let index = 0; index < files; index += 1) {
      parts.push(
        Buffer.from(`--B\r\ncontent-disposition: form-data; name="file"; filename="a.jpg"\r\ncontent-type: text/html\r\n\r\n`),
        ordinary,
        Buffer.from("\r\n"),
      );
    }
    return { payload: Buffer.concat([...parts, Buffer.from("--B--\r\n")]), type: "multipart/form-data; boundary=B" };
  }
});

describe("a stored picture", () => {
  test("is shown with exactly these headers", async () => {
    const { body } = await upload(ordinary);
    const shown = await open(body.url);
    expect(shown.status).toBe(200);
    expect(shown.headers).toMatchObject({
      "content-type": "image/jpeg",
      "content-disposition": `attachment; filename="${body.id}.jpg"`,
      "content-security-policy": "default-src 'none'; sandbox",
      "cross-origin-resource-policy": "same-site",
      "x-content-type-options": "nosniff",
      "cache-control": "private, max-age=900",
    });
  });

  test("isn't shown without its signature, after its time, or under another id", async () => {
    const { body } = await upload(ordinary);
    const other = (await upload(ordinary)).body;
    const bad = [
      body.url.replace(/.$/, (end: string) => (end === "A" ? "B" : "A")),
      body.url.replace(/expires=\d+/, "expires=9999999999"),
      body.url.replace(body.id, other.id),
    ];
    for (const url of bad) expect((await open(url)).body.error.code).toBe("permission_denied");
    expect((await open(body.url.split("?")[0])).status).toBe(400);
    const later = app.clock.now();
    app.clock.set(new Date(later.getTime() + 901_000));
    expect((await open(body.url)).body.error.code).toBe("permission_denied");
    app.clock.set(later);
  });

  test("is deleted with its bytes; another tenant's, and a second time, isn't found", async () => {
    const { body } = await upload(ordinary);
    const stranger = app.api((await app.tenant()).key);
    expect((await stranger.delete(`/api/v1/assets/${body.id}`)).body.error.code).toBe("resource_missing");
    expect((await as.delete(`/api/v1/assets/${body.id}`)).body).toEqual({ id: body.id, object: "asset", deleted: true });
    expect((await open(body.url)).body.error.code).toBe("resource_missing");
    expect((await as.delete(`/api/v1/assets/${body.id}`)).body.error.code).toBe("resource_missing");
  });

  test("is uploaded once for one Idempotency-Key; another file under it is refused", async () => {
    const headers = { "idempotency-key": "upload-1" };
    const first = await as.upload(path, ordinary, { purpose: "logo" }, { headers });
    const again = await as.upload(path, ordinary, { purpose: "logo" }, { headers });
    expect([again.status, again.body.id, again.headers["idempotent-replayed"]]).toEqual([201, first.body.id, "true"]);
    const other = await as.upload(path, drawQrPng("x"), { purpose: "logo" }, { headers });
    expect([other.status, other.body.error.code]).toEqual([422, "idempotency_key_reused"]);
  });
});
