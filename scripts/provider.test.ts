import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, describe, expect, test } from "vitest";
import { copyOf, removeCopies } from "../server/test/support/programs/source-copies.ts";

const { makeGateway } = (await import(new URL("provider/make-gateway.mjs", import.meta.url).href)) as {
  makeGateway(root: string, slug: string): string[];
};
const list = "server/src/app/gateways.ts";
const index = "docs/gateways/index.md";

afterAll(removeCopies);

/** Only what the script reads and writes, and what says that the sources are modules. */
const smallCopy = () => {
  const root = copyOf([list, index, "server/package.json"]);
  mkdirSync(join(root, "server/src/providers/payment"), { recursive: true });
  return root;
};
const textIn = (root: string, path: string) => readFileSync(join(root, path), "utf8");

describe("a slug", () => {
  test.each([
    ["with capitals", "Acme", "lower-case letters"],
    ["with a dash", "acme-pay", "lower-case letters"],
    ["that begins with a digit", "2checkout", "a letter first"],
    ["that leaves the folder", "../acme", "lower-case letters"],
    ["of one letter", "a", "2 to 40"],
    ["of 41 letters", "a".repeat(41), "2 to 40"],
    ["that TypeScript means something by", "switch", "a word of the language"],
    ["of a personal code", "alipay", "personal receiving code"],
    ["of a gateway that is there", "stripe", "names stripe already"],
  ])("%s is refused, and nothing is written", (_what, slug, message) => {
    const root = smallCopy();
    const before = [list, index].map((path) => textIn(root, path));
    expect(() => makeGateway(root, slug)).toThrow(message);
    expect([list, index].map((path) => textIn(root, path))).toEqual(before);
    expect(existsSync(join(root, "server/src/providers/payment", slug, "adapter.ts"))).toBe(false);
  });

  test("that code uses for something else is refused, because the check of methods' names would mistake it for the gateway", () => {
    const root = smallCopy();
    mkdirSync(join(root, "web/pay"), { recursive: true });
    writeFileSync(join(root, "web/pay/pay.ts"), "// A square with round corners.\n");
    expect(() => makeGateway(root, "square")).toThrow("square is a word that web/pay/pay.ts uses for something else");
    expect(makeGateway(root, "square_pay")).toContain("docs/gateways/square_pay.md");
  });
});

describe("what is left of an earlier run", () => {
  test.each([
    ["a folder", "server/src/providers/payment/acme/adapter.ts", "server/src/providers/payment/acme exists already"],
    ["a guide", "docs/gateways/acme.md", "docs/gateways/acme.md exists already"],
  ])("such as %s isn't overwritten", (_what, path, message) => {
    const root = smallCopy();
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), "mine");
    expect(() => makeGateway(root, "acme")).toThrow(message);
    expect(textIn(root, path)).toBe("mine");
  });

  test("such as uncommitted changes must be committed first", () => {
    const root = smallCopy();
    const git = (...args: string[]) =>
      execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@t.test", ...args], { cwd: root, stdio: "pipe" });
    git("init", "--quiet");
    git("add", ".");
    git("commit", "--quiet", "--message", "before");
    writeFileSync(join(root, list), `${textIn(root, list)}// Half done.\n`);
    expect(() => makeGateway(root, "acme")).toThrow(`${list}\nCommit them first`);
    git("commit", "--quiet", "--all", "--message", "done");
    expect(makeGateway(root, "acme")).toContain(list);
  });

  test("such as a rewritten list is left to be changed manually", () => {
    const root = smallCopy();
    writeFileSync(join(root, list), "export const gateways = makeList();\n");
    expect(() => makeGateway(root, "acme")).toThrow("add the gateway there by hand");
    expect(existsSync(join(root, "server/src/providers/payment/acme"))).toBe(false);
  });
});

test("the list gets one entry, on one line while it is short enough, and the index one link", () => {
  const root = smallCopy();
  for (const slug of ["nopay", "zeta_pay", "another_provider", "yet_another_one"]) makeGateway(root, slug);
  const text = textIn(root, list);
  const imports = [...text.matchAll(/^import \{ (\w+) \} from "#providers\/payment\/(\w+)\/adapter\.ts";$/gm)].map(([, , slug]) => slug);
  expect(imports).toEqual(imports.toSorted());
  const [, entries = ""] = /GatewayAdapter\[\] = \[([^\]]*)\];/.exec(text) ?? [];
  expect(entries.split(/[\s,]+/).filter((name) => name !== "")).toEqual(
    expect.arrayContaining(["stripe", "nopay", "zetaPay", "anotherProvider", "yetAnotherOne"]),
  );
  expect(Math.max(...text.split("\n").map((line) => line.length))).toBeLessThanOrEqual(200);
  expect(textIn(root, index)).toContain("- [Zeta Pay](zeta_pay.md)\n- [Another Provider](another_provider.md)\n");
});

// Long tests run its tests, which takes ten seconds, and compile it.
test("a newly created gateway has all that its tests need, and says of everything that it isn't written yet", async () => {
  const root = smallCopy();
  const folder = "server/src/providers/payment/acme_pay";
  const made = makeGateway(root, "acme_pay");
  const names = ["adapter.test.ts", "adapter.ts", "manifest.ts", "published.test.ts", "simulator.ts", "testing/facts.ts"];
  expect(made.toSorted()).toEqual([...names.map((name) => `${folder}/${name}`), "docs/gateways/acme_pay.md", list, index].toSorted());
  for (const path of made) expect(textIn(root, path), path).not.toMatch(/\{\{\w+\}\}/);
  const contract = "gatewayContract({ adapter: acmePay, simulator: acmePaySimulator, ...facts });";
  expect(textIn(root, `${folder}/adapter.test.ts`)).toContain(contract);
  expect(textIn(root, `${folder}/adapter.ts`).match(/unwritten\("\w+"\)/g)?.length).toBeGreaterThan(8);
  const { acmePaySimulator } = (await import(pathToFileURL(join(root, folder, "simulator.ts")).href)) as { acmePaySimulator: object };
  const unwritten = Object.entries(acmePaySimulator).filter(([, value]) => typeof value === "function");
  expect(unwritten.length).toBeGreaterThan(5);
  for (const [name, call] of unwritten) await expect(call()).rejects.toThrow(`acme_pay: the simulator's ${name} is not written yet`);
});
