import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { photo } from "#test/support/pictures/pictures.ts";
import { fileBytesMax } from "./start-confined.ts";
import { takePicture } from "./take-picture.ts";

const folder = mkdtempSync(join(tmpdir(), "tillpost-taken-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const picture = await photo(64, 48);
const honest = {
  ...{ content_type: "image/jpeg", size_bytes: picture.length, width: 64, height: 48, sha256: "" },
  ...{ phash: "01".repeat(128), shades: Buffer.alloc(64 * 128).toString("base64"), texts: ["wxp://f2f0AbCdEf"] },
};
const job = { decode: true, logoSide: null };
const unreadable = { code: "image_unreadable" };

let count = 0;
function left(bytes: Buffer = picture): string {
  count += 1;
  const path = join(folder, String(count));
  writeFileSync(path, bytes);
  return path;
}

test("an answer's size, hash, format and unknown fields come from the server, whatever the picture process says", async () => {
  const answer = { ...honest, size_bytes: 1, content_type: "text/html", project_id: "prj_other", livemode: true, purpose: "logo" };
  expect(await takePicture(left(), answer, job)).toEqual({
    bytes: picture,
    read: { ...honest, sha256: createHash("sha256").update(picture).digest("hex") },
  });
});

test("a link, a folder, a pipe and a huge file in place of the picture are refused, and what a link leads to is never read", async () => {
  const secret = join(folder, "master-keys");
  writeFileSync(secret, picture);
  const huge = left();
  truncateSync(huge, fileBytesMax + 1);
  for (const [name, place] of Object.entries({
    link: (path: string) => symlinkSync(secret, path),
    folder: (path: string) => mkdirSync(path),
    pipe: (path: string) => execFileSync("/usr/bin/mkfifo", [path]),
    nothing: () => {},
  })) {
    place(join(folder, name));
    await expect(takePicture(join(folder, name), honest, job), name).rejects.toMatchObject(unreadable);
  }
  await expect(takePicture(huge, honest, job)).rejects.toMatchObject(unreadable);
});

test("a file that isn't a picture of the expected kind, and an impossible answer, are refused", async () => {
  await expect(takePicture(left(Buffer.from("secret")), honest, job)).rejects.toMatchObject(unreadable);
  await expect(takePicture(left(), honest, { decode: false, logoSide: 64 })).rejects.toMatchObject(unreadable);
  const impossible: unknown[] = [null, "read", { ...honest, width: "64" }, { ...honest, width: 1e6, height: 1e6 }];
  impossible.push({ ...honest, phash: "0" }, { ...honest, shades: "" }, { ...honest, texts: null }, { ...honest, texts: [{}] });
  for (const answer of [...impossible, { ...honest, texts: ["x".repeat(8000)] }])
    await expect(takePicture(left(), answer, job), JSON.stringify(answer)?.slice(0, 80)).rejects.toMatchObject(unreadable);
});

test("a code whose text the database can't store counts as none", async () => {
  const { read } = await takePicture(left(), { ...honest, texts: ["a\u0000b", "\ud800", "wxp://f2f0"] }, job);
  expect(read.texts).toEqual(["wxp://f2f0"]);
});
