import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { biome, knip, knipOfProduct, tsc } from "../../../checks/programs.ts";

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

/** Sources that no check complains about. */
export const sound = files('import { one } from "./b.ts";\n\nconsole.log(one);\n', "export const one = 1;\n");

/** Puts sources into a folder, over those that are there. */
export async function lay(folder: string, sources: Record<string, string>): Promise<void> {
  for (const [name, text] of Object.entries(sources)) await writeFile(join(folder, name), text);
}

/** Each check, and sources with what it has to detect. */
export const cases = [
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
