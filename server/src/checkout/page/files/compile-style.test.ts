import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { simulatorPage } from "#gateways/index.ts";
import { defineWords } from "#platform/index.ts";
import { compileTokens, hexOfOklch, readTokens, shrinkStyle } from "./compile-style.ts";
import { loadPageFiles } from "./load-page-files.ts";

const source = readFileSync(new URL("../../../../../web/tokens.css", import.meta.url), "utf8");
const tokens = new Map(readTokens(source).map((token) => [token.name.slice(2), token]));

it("writes OKLCH as the hex that browsers show for it", () => {
  expect(hexOfOklch(1, 0, 0)).toBe("#ffffff");
  expect(hexOfOklch(0, 0, 0)).toBe("#000000");
  expect(hexOfOklch(0.628, 0.2577, 29.23)).toBe("#ff0000");
  expect(hexOfOklch(0.5198, 0.1769, 142.5)).toBe("#008000");
});

it("leaves nothing in the sheet that an old in-app browser doesn't know, and retains both themes", () => {
  const compiled = shrinkStyle(compileTokens(source));
  expect(compiled).not.toMatch(/oklch|light-dark|\/\*/);
  expect(compiled).toContain("@media (prefers-color-scheme:dark)");
  expect(tokens.size).toBeGreaterThan(20);
});

const texts = ["n10", "n11", "n12", "accent", "paid", "waiting", "failed", "expired", "test"];
const grounds = ["n1", "n2", "n3"];
const pairs: [string, string][] = [
  ...texts.flatMap((text) => grounds.map((ground): [string, string] => [text, ground])),
  ...["paid", "waiting", "failed", "expired", "test", "accent"].flatMap((hue): [string, string][] => [
    [hue, `${hue}-soft`],
    ["n12", `${hue}-soft`],
  ]),
  ["on-accent", "accent"],
  ["on-accent", "accent-press"],
  ["on-test", "test"],
  ["n10", "accent-soft"],
];

it.each(["light", "dark"] as const)("maintains a contrast of 4.5 : 1 between every text and every background, %s", (theme) => {
  const hex = (name: string) => tokens.get(name)?.[theme] ?? "";
  const weak = pairs
    .map(([text, ground]) => ({ text, ground, ratio: contrast(hex(text), hex(ground)) }))
    .filter(({ ratio }) => !(ratio >= 4.5));
  expect(weak).toEqual([]);
});

it("has the colors of a simulated provider's page", () => {
  const provider = defineWords({ en: "Stripe", zh: "Stripe" });
  const payment = { title: "Tea", amount: "1234.50 EUR", state: "open", outcomes: [], back: null };
  const page = simulatorPage({ headers: new Headers() }, { provider, ...payment });
  const used = [...page.matchAll(/--([\w-]+): light-dark\((#\w+), (#\w+)\)/g)].map(([, name = "", light, dark]) => ({ name, light, dark }));
  expect(used.length).toBeGreaterThan(8);
  for (const { name, ...colors } of used) expect(tokens.get(name), name).toMatchObject(colors);
});

it("is small, and its names depend on its content", async () => {
  const { files, addresses } = await loadPageFiles("/static");
  const compressed = await Promise.all(files.map((file) => file.brotli()));
  expect(compressed.reduce((sum, { length }) => sum + length, 0)).toBeLessThan(12_000);
  expect(addresses.style).toMatch(/^\/static\/pay\.[0-9a-f]{12}\.css$/);
  expect(addresses.script).toMatch(/^\/static\/pay\.[0-9a-f]{12}\.js$/);
});

function contrast(one: string, other: string): number {
  const [light, dark] = [luminance(one), luminance(other)].sort((left, right) => right - left) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}

function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const value = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
