// What `npm run provider payment` creates: a folder from the templates next to this file, one entry in the list of gateways, and an empty
// guide.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const templates = fileURLToPath(new URL("payment/", import.meta.url));
const list = "server/src/app/gateways.ts";
const index = "docs/gateways/index.md";
/** As Biome formats it. */
const lineWidth = 160;

/**
 * Creates the files of a gateway and returns their paths. Throws before anything is written if the slug can't be used, or if existing files
 * don't fit.
 */
export function makeGateway(root, slug) {
  const names = namesOf(slug);
  const folder = `server/src/providers/payment/${slug}`;
  const guide = `docs/gateways/${slug}.md`;
  refuseTaken(root, { slug, folder, guide });
  refuseChanged(root, [list, index]);
  refuseWord(root, slug);
  const files = new Map([
    ...readdirSync(templates, { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".txt"))
      .map((name) => [`${folder}/${name.replace(/\.txt$/, "")}`, filled(name, names)]),
    [guide, filled("guide.md", names)],
    [list, listed(read(root, list), names)],
    [index, indexed(read(root, index), names)],
  ]);
  mkdirSync(join(root, folder, "testing"), { recursive: true });
  for (const [path, text] of files) writeFileSync(join(root, path), text);
  return [...files.keys()];
}

const reserved = new Set(
  "await break case catch class const continue default delete do else enum export extends false finally for function if import in new null return super switch this throw true try typeof var void while with yield let static package private public interface protected implements manifest gateways".split(
    " ",
  ),
);

function namesOf(slug) {
  if (!/^[a-z][a-z0-9]*(_[a-z0-9]+)*$/.test(slug) || slug.length < 2 || slug.length > 40) {
    throw new Error(
      `${JSON.stringify(slug)} can't be a gateway's slug: lower-case letters, digits and single _ between them, 2 to 40 of them, a letter first.`,
    );
  }
  const camel = slug.replaceAll(/_([a-z0-9])/g, (_all, letter) => letter.toUpperCase());
  if (reserved.has(camel))
    throw new Error(`${JSON.stringify(slug)} can't be a gateway's slug: it is a word of the language or of the list.`);
  const words = slug.split("_").map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  return { slug, camel, title: words.join(" ") };
}

function refuseTaken(root, { slug, folder, guide }) {
  for (const path of [folder, guide]) {
    if (existsSync(join(root, path))) throw new Error(`${path} exists already. Remove it first, or take another slug.`);
  }
  if (read(root, list).includes(`/payment/${slug}/`))
    throw new Error(`${list} names ${slug} already. Remove it there first, or take another slug.`);
  if (["wechatpay", "alipay"].includes(slug))
    throw new Error(`${slug} is a personal receiving code. Take another slug, such as ${slug}_merchant.`);
}

/** The diff should only show what is created. */
function refuseChanged(root, paths) {
  const { status, stdout } = spawnSync("git", ["status", "--porcelain", "--", ...paths], { cwd: root, encoding: "utf8" });
  if (status === 0 && stdout !== "")
    throw new Error(`There are changes that aren't committed:\n${stdout}Commit them first, so that the new lines can be told apart.`);
}

/** The check of methods' names reads these files; it would take every such word for the gateway. */
function refuseWord(root, slug) {
  const word = new RegExp(`(?<![\\w-])${slug}(?![\\w-]|\\.\\w)`);
  const found = ["server/src", "web/dashboard/src", "web/pay", "sdk/src"]
    .filter((folder) => existsSync(join(root, folder)))
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).map((name) => `${folder}/${name.replaceAll("\\", "/")}`),
    )
    .filter(
      (path) =>
        /(?<!\.test)\.tsx?$/.test(path) && !/\/words\/|\.words\.ts$|\/providers\/payment\/|\/generated\/|\/identity\/password\//.test(path),
    )
    .find((path) => word.test(read(root, path)));
  if (found !== undefined)
    throw new Error(`${slug} is a word that ${found} uses for something else. Take a longer slug, such as ${slug}_pay.`);
}

function read(root, path) {
  return readFileSync(join(root, path), "utf8");
}

function filled(name, { slug, camel, title }) {
  return readFileSync(join(templates, name), "utf8")
    .replaceAll("{{slug}}", slug)
    .replaceAll("{{camel}}", camel)
    .replaceAll("{{title}}", title);
}

/** The list with the gateway at its end, which is where buyers see it. */
function listed(text, { slug, camel }) {
  const imports = [...text.matchAll(/^import \{ \w+ \} from "#providers\/payment\/(\w+)\/adapter\.ts";\n/gm)];
  const [whole, head, entries] = /^(export const gateways: readonly GatewayAdapter\[\] = \[)([^\]]*)\];$/m.exec(text) ?? [];
  if (imports.length === 0 || whole === undefined) throw new Error(`${list} doesn't look as it should: add the gateway there by hand.`);
  const names = entries.split(",").map((entry) => entry.trim());
  const all = [...names.filter((entry) => entry !== ""), camel];
  const line = `${head}${all.join(", ")}];`;
  const written = line.length <= lineWidth ? line : `${head}\n${all.map((entry) => `  ${entry},\n`).join("")}];`;
  const added = `import { ${camel} } from "#providers/payment/${slug}/adapter.ts";\n`;
  const before = imports.find(([, other]) => other > slug);
  const at = before === undefined ? imports.at(-1).index + imports.at(-1)[0].length : before.index;
  return (text.slice(0, at) + added + text.slice(at)).replace(whole, () => written);
}

function indexed(text, { slug, title }) {
  const last = [...text.matchAll(/^- \[[^\]]+\]\([a-z0-9_]+\.md\).*\n/gm)].at(-1);
  if (last === undefined) throw new Error(`${index} has no list of guides: add the gateway there by hand.`);
  const at = last.index + last[0].length;
  return `${text.slice(0, at)}- [${title}](${slug}.md)\n${text.slice(at)}`;
}
