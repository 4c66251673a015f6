import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { pseudoInfo } from "./pseudo-language.ts";

const list = "web/language/languages.ts";
const endOfList = "] as const satisfies";
const endOfTable = "return words as unknown as";

/** The dashboard with one more language: a line in the list, and words for each table. Nothing else is changed. */
export async function buildPseudoDashboard(): Promise<URL> {
  const folder = await mkdtemp(join(tmpdir(), "tillpost-pseudo-"));
  const { buildInto } = (await import(new URL("../../../../scripts/dashboard.mjs", import.meta.url).href)) as {
    buildInto(folder: string, plugins: unknown[]): Promise<void>;
  };
  await buildInto(folder, [{ name: "pseudo-language", enforce: "pre", transform: withPseudo }]);
  return pathToFileURL(`${folder}/`);
}

function withPseudo(code: string, id: string): string | null {
  if (!id.replaceAll("\\", "/").endsWith(list)) return null;
  if (!code.includes(endOfList) || !code.includes(endOfTable)) throw new Error(`${list} is no longer written as this test reads it`);
  const lengthen = fileURLToPath(new URL("lengthen.ts", import.meta.url));
  return `import { lengthened } from ${JSON.stringify(lengthen)};\n${code
    .replace(endOfList, `  ${JSON.stringify(pseudoInfo)} as never,\n${endOfList}`)
    .replace(endOfTable, `words = { ...words, ${pseudoInfo.tag}: lengthened(words[firstLanguage]) } as never;\n  ${endOfTable}`)}`;
}
