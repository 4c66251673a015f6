import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { gateways } from "#app/gateways.ts";

const folder = new URL("../../../../docs/gateways/", import.meta.url);
const read = (name: string) => readFileSync(new URL(name, folder), "utf8");
/** Pages of the folder that aren't about one gateway. */
const general = ["index.md", "adding-a-gateway.md"];

const codesIn = (text: string) => [...text.matchAll(/`([^`\n]+)`/g)].map(([, code = ""]) => code);

/** The code in the first column of every table with such a heading. */
function firstColumn(guide: string, heading: string): string[] {
  const tables = guide.matchAll(new RegExp(`^ *\\| ${heading} \\|.*\\n *\\|[-|]+\\|\\n((?: *\\|.*\\n)*)`, "gm"));
  return [...tables].flatMap(([, rows = ""]) => rows.split("\n").flatMap((row) => codesIn(row.split("|")[1] ?? "")));
}

test("every gateway has a guide, every guide is about a gateway, and the index links to each of them", () => {
  const names = gateways.map(({ manifest }) => `${manifest.method.gateway}.md`);
  expect(readdirSync(folder).sort()).toEqual([...names, ...general].sort());
  for (const name of [...names, "adding-a-gateway.md"]) expect(read("index.md")).toContain(`](${name})`);
});

describe.each(gateways.map(({ manifest }) => ({ slug: manifest.method.gateway, manifest })))("the guide of $slug", ({ slug, manifest }) => {
  const guide = read(`${slug}.md`);
  const { method, fields, hosts, refundDays, callbackEvents } = manifest;

  test("says of every field where it is, and of no other", () => {
    expect(firstColumn(guide, "Field")).toEqual(fields.map(({ name }) => name));
  });

  test("lists every callback that the adapter understands, and no other", () => {
    expect(codesIn(guide)).toEqual(expect.arrayContaining([...callbackEvents]));
    for (const heading of ["Event", "Callback"]) expect(callbackEvents).toEqual(expect.arrayContaining(firstColumn(guide, heading)));
  });

  test("says where callbacks go, and which hosts are contacted", () => {
    expect(guide).toContain(`https://pay.example.com/api/payments/${slug}/webhook/gc_…`);
    for (const url of Object.values(hosts ?? {})) expect(codesIn(guide)).toContain(new URL(url).hostname);
  });

  test("says which currencies are accepted", () => {
    const { currencies } = method;
    if (currencies === "any") return expect(guide).toContain("Any currency");
    if (currencies.length > 30) return expect(guide).toContain(`${currencies.length} currencies`);
    const [, section = ""] = /^## Currencies and limits\n([\s\S]*?)^## /m.exec(guide) ?? [];
    for (const currency of currencies) expect(section).toMatch(new RegExp(`\\b${currency}\\b`));
  });

  test("states the refund period, the fees, what errors mean, and what wasn't tested", () => {
    expect(guide).toContain(refundDays === null ? "no time limit" : `${refundDays} days`);
    for (const heading of ["What you need", "Fees", "Refunds", "Troubleshooting", "Not tested with a real"])
      expect(guide).toContain(`\n## ${heading}`);
  });
});
