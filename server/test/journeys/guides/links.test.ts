import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path/posix";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const root = fileURLToPath(new URL("../../../../", import.meta.url));
const pages = [
  ...readdirSync(root).filter((name) => name.endsWith(".md")),
  ...readdirSync(`${root}docs`, { recursive: true, encoding: "utf8" }).flatMap((name) =>
    name.endsWith(".md") ? [`docs/${name.replaceAll("\\", "/")}`] : [],
  ),
];

const withoutCode = (text: string) =>
  text.replaceAll(/^ *```[\s\S]*?^ *```$/gm, "").replaceAll(/`[^`\n]*`/g, (code) => code.replaceAll(/[[\]()]/g, ""));
const textOf = (page: string) => readFileSync(join(root, page), "utf8");

/** The anchors that Markdown renderers make for a page's headings, and those that it sets itself. */
function anchorsOf(page: string): Set<string> {
  const text = textOf(page);
  const headings = [...text.replaceAll(/^ *```[\s\S]*?^ *```$/gm, "").matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = ""]) =>
    heading
      .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1")
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
      .trim()
      .replaceAll(" ", "-"),
  );
  return new Set([...headings, ...[...text.matchAll(/<a (?:id|name)="([^"]+)"/g)].map(([, name = ""]) => name)]);
}

/** Links to pages and places of the repository: target and anchor. */
function linksOf(page: string): { target: string; anchor: string }[] {
  return [...withoutCode(textOf(page)).matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, link = ""]) => link)
    .filter((link) => !/^[a-z]+:/.test(link))
    .map((link) => {
      const [path = "", anchor = ""] = link.split("#");
      return { target: path === "" ? page : join(dirname(page), path), anchor };
    });
}

test.each(pages)("every link of %s leads to a file, and to a heading if it specifies one", (page) => {
  const dead = linksOf(page).filter(({ target, anchor }) => {
    if (!existsSync(join(root, target))) return true;
    return anchor !== "" && target.endsWith(".md") && !anchorsOf(target).has(decodeURIComponent(anchor));
  });
  expect(dead).toEqual([]);
});

test("every line that a page quotes from the log is how a text of the product begins", () => {
  const folder = join(root, "server/src");
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => /(?<!\.test)\.ts$/.test(name));
  const sources = names.map((name) => readFileSync(join(folder, name), "utf8")).join("\n");
  const quoted = pages.flatMap((page) =>
    [...textOf(page).matchAll(/\blog(?: then)? (?:says|repeats|line) `([^`\n]+)`/g)].map(([, line = ""]) => `${page}: ${line}`),
  );
  expect(quoted.length).toBeGreaterThan(0);
  expect(quoted.filter((one) => !sources.includes(`"${one.slice(one.indexOf(": ") + 2)}`))).toEqual([]);
});
