import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { pixelsMax } from "./images/reencode-picture.ts";
import { uploadBytesMax } from "./images/spool-upload.ts";

const root = new URL("../../../", import.meta.url);
const sources = (path: string, name: RegExp) =>
  readdirSync(new URL(path, root), { recursive: true, encoding: "utf8" })
    .filter((file) => name.test(file) && !file.endsWith(".test.ts"))
    .map((file) => `${path}/${file.replaceAll("\\", "/")}`);

test("the pages, the dashboard and the API state the picture size that the server accepts", () => {
  const documents = [
    ...sources("server/src/checkout/page/words", /\.ts$/),
    ...sources("web/dashboard/src", /words.*\.ts$/),
    ...sources("server/src/requests/responses", /\.ts$/),
    ...sources("server/src/schemas", /\.ts$/),
    "docs/errors.md",
    "docs/openapi.json",
  ].flatMap((path) => {
    const text = readFileSync(new URL(path, root), "utf8");
    const english = [...text.matchAll(/(\d+(?:\.\d+)?) megapixels/g)].map(([, count]) => ({ path, pixels: Number(count) * 1e6 }));
    const chinese = [...text.matchAll(/(\d+) 万像素/g)].map(([, count]) => ({ path, pixels: Number(count) * 1e4 }));
    return [...english, ...chinese];
  });
  for (const room of ["checkout/page/words", "dashboard/src", "requests/responses", "schemas", "openapi.json"])
    expect(
      documents.some(({ path }) => path.includes(room)),
      room,
    ).toBe(true);
  expect(documents.filter(({ pixels }) => pixels !== pixelsMax)).toEqual([]);
});

test("the browser shrinks what the server would refuse, and nothing else", () => {
  const shrinks = readFileSync(new URL("web/pictures/shrink-picture.ts", root), "utf8");
  const written = (name: string) =>
    (new RegExp(`const ${name} = ([\\d_ *]+);`).exec(shrinks)?.[1] ?? "")
      .replaceAll("_", "")
      .split("*")
      .reduce((product, factor) => product * Number(factor), 1);
  expect([written("maxPixels"), written("largestUpload")]).toEqual([pixelsMax, uploadBytesMax]);
});
