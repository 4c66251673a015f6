import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { uploadBytesMax } from "#assets/index.ts";
import { largeBytesMax } from "#requests/bodies/read-bodies.ts";
import { deployed } from "#test/support/deploy/shipped.ts";

const docs = new URL("../../../../docs/", import.meta.url);
const megabyte = 1024 * 1024;

it("the proxies in the documents pass on the largest proof and the largest email", () => {
  const guides = ["operations.md", "operations/install.md"].map((name) => readFileSync(new URL(name, docs), "utf8"));
  const text = [...guides, deployed("kubernetes/settings.yaml")].join("\n");
  const nginx = [...text.matchAll(/client_max_body_size (\d+)m;/g)].map(([, size]) => Number(size));
  const ingress = [...text.matchAll(/nginx\.ingress\.kubernetes\.io\/proxy-body-size: "?(\d+)m/g)].map(([, size]) => Number(size));
  expect([nginx.length, ingress.length]).toEqual([1, 2]);
  for (const size of [...nginx, ...ingress]) expect(size * megabyte).toBeGreaterThanOrEqual(Math.max(uploadBytesMax, largeBytesMax));
});
