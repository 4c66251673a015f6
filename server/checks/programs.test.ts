import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { outdated } from "./documents.ts";
import { biome, knip, knipOfProduct, tsc } from "./programs.ts";
import { runProgram } from "./run-program.ts";

const folder = await mkdtemp(join(tmpdir(), "tillpost-programs-"));
afterAll(() => rm(folder, { recursive: true, force: true }));

const compilerOptions = {
  ...{ strict: true, noEmit: true, skipLibCheck: true, allowImportingTsExtensions: true },
  ...{ module: "nodenext", target: "es2024", types: [] },
};
const files = (a: string, b: string, tested = "one") => ({
  "package.json": JSON.stringify({ name: "broken", type: "module", main: "a.ts" }),
  "tsconfig.json": JSON.stringify({ compilerOptions, include: ["*.ts"] }),
  "biome.json": `{ "files": { "includes": ["*.ts"] }, "formatter": { "indentStyle": "space" } }\n`,
  "knip.json": JSON.stringify({ entry: ["*.test.ts"], project: ["*.ts!"] }),
  "a.ts": a,
  "b.ts": b,
  "b.test.ts": `import { ${tested} } from "./b.ts";\n\nconsole.log(${tested});\n`,
});
const sound = files('import { one } from "./b.ts";\n\nconsole.log(one);\n', "export const one = 1;\n");

async function lay(wanted: Record<string, string>): Promise<void> {
  for (const [name, text] of Object.entries(wanted)) await writeFile(join(folder, name), text);
}

const cases = [
  {
    what: "an unformatted file",
    command: biome,
    broken: files('import {one} from "./b.ts"\n\nconsole.log(one)\n', sound["b.ts"]),
    says: "a.ts",
  },
  { what: "a lint fault", command: biome, broken: files(sound["a.ts"], "export const one: any = 1;\n"), says: "noExplicitAny" },
  { what: "a type fault", command: tsc(".", "test"), broken: files(sound["a.ts"], 'export const one: number = "1";\n'), says: "TS2322" },
  { what: "a dead export", command: knip, broken: files(sound["a.ts"], "export const one = 1;\nexport const two = 2;\n"), says: "two" },
  {
    what: "an export that only a test needs",
    command: knipOfProduct,
    broken: files(sound["a.ts"], "export const one = 1;\nexport const two = 2;\n", "two"),
    says: "two",
  },
];

// A compiler takes its time on a busy machine.
describe("npm run check", { timeout: 120_000 }, () => {
  test.each(cases)("detects $what, and passes correct files", async ({ command, broken, says }) => {
    await lay(sound);
    expect(await runProgram(folder, command)).toEqual([]);
    await lay(broken);
    expect((await runProgram(folder, command)).join()).toContain(says);
  });

  test("detects an outdated generated document", async () => {
    const documents = new Map([
      ["docs/a.md", "new"],
      ["docs/b.md", "same"],
      ["docs/c.md", "missing"],
    ]);
    const files: Record<string, string> = { "docs/a.md": "old", "docs/b.md": "same" };
    expect((await outdated(documents, async (path) => files[path] ?? null)).map((fault) => fault.path)).toEqual(["docs/a.md", "docs/c.md"]);
  });
});
