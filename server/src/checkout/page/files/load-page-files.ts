import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { stripTypeScriptTypes } from "node:module";
import { brotliCompressSync, gzipSync } from "node:zlib";
import type { PageFiles } from "../page.ts";
import { compileTokens, shrinkStyle } from "./compile-style.ts";

/** One file of the page as it is served: its name carries a hash of its content. */
export interface PageFile {
  name: string;
  content_type: string;
  plain: Buffer;
  gzip: Buffer;
  brotli: Buffer;
}

export interface LoadedFiles {
  files: PageFile[];
  addresses: PageFiles;
}

const web = new URL("../../../../../web/", import.meta.url);

/** Reads, compiles and compresses the page's style, script and mark; takes a few milliseconds, so that no build step is needed. */
export async function loadPageFiles(base: string): Promise<LoadedFiles> {
  const read = (path: string) => readFile(new URL(path, web), "utf8");
  const [tokens, style, script, mark] = await Promise.all([read("tokens.css"), read("pay/pay.css"), read("pay/pay.ts"), read("brand/mark.svg")]);
  const styleFile = fileOf("pay", "css", shrinkStyle(compileTokens(tokens) + style));
  const scriptFile = fileOf("pay", "js", shrinkScript(stripTypeScriptTypes(script)));
  const markFile = fileOf("mark", "svg", mark.trim());
  const address = (file: PageFile) => `${base}/${file.name}`;
  return {
    files: [styleFile, scriptFile, markFile],
    addresses: { style: address(styleFile), script: address(scriptFile), mark: address(markFile) },
  };
}

const contentTypes = { css: "text/css; charset=utf-8", js: "text/javascript; charset=utf-8", svg: "image/svg+xml" };

function fileOf(stem: string, extension: keyof typeof contentTypes, text: string): PageFile {
  const plain = Buffer.from(text);
  const hash = createHash("sha256").update(plain).digest("hex").slice(0, 12);
  return {
    name: `${stem}.${hash}.${extension}`,
    content_type: contentTypes[extension],
    plain,
    gzip: gzipSync(plain, { level: 9 }),
    brotli: brotliCompressSync(plain),
  };
}

/** Whole-line comments and indentation go; everything that could change the meaning stays, compression does the rest. */
function shrinkScript(source: string): string {
  return source
    .replace(/^\s*\/\*\*[\s\S]*?\*\/\s*$/gm, "")
    .replace(/^\s*\/\/.*$/gm, "")
    .replace(/^\s+/gm, "")
    .replace(/[ \t]+$/gm, "");
}
