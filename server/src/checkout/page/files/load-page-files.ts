import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { promisify } from "node:util";
import { brotliCompress, gzip } from "node:zlib";
import type { PageFiles } from "../page.ts";
import { compileTokens, shrinkStyle } from "./compile-style.ts";
import { stripTypes } from "./strip-types.ts";

/** One file of the page as served: its name contains a hash of its content. */
export interface PageFile {
  name: string;
  content_type: string;
  plain: Buffer;
  /** Compressed when first requested. */
  gzip(): Promise<Buffer>;
  brotli(): Promise<Buffer>;
}

export interface LoadedFiles {
  files: PageFile[];
  addresses: PageFiles;
}

const web = new URL("../../../../../web/", import.meta.url);

let compiled: Promise<[style: PageFile, script: PageFile, mark: PageFile]> | undefined;

/** Reads and compiles the page's style, script and mark, once per process. That is quick enough that no build step is needed. */
export async function loadPageFiles(base: string): Promise<LoadedFiles> {
  const [style, script, mark] = await (compiled ??= compileFiles());
  const address = (file: PageFile) => `${base}/${file.name}`;
  return { files: [style, script, mark], addresses: { style: address(style), script: address(script), mark: address(mark) } };
}

async function compileFiles(): Promise<[style: PageFile, script: PageFile, mark: PageFile]> {
  const read = (path: string) => readFile(new URL(path, web), "utf8");
  const [tokens, style, script, mark] = await Promise.all([
    read("tokens.css"),
    read("pay/pay.css"),
    stripTypes(scripts.map((path) => new URL(path, web))),
    read("brand/mark.svg"),
  ]);
  return [
    fileOf("pay", "css", shrinkStyle(compileTokens(tokens) + style)),
    fileOf("pay", "js", shrinkScript(joinModules(script))),
    fileOf("mark", "svg", mark.trim()),
  ];
}

/** The script's modules, each after those that it imports. They are served as one file, so their top-level names must differ. */
const scripts = [
  "language/locale.ts",
  "pay/times.ts",
  "pay/notices.ts",
  "pay/payment-page.ts",
  "pay/outbox.ts",
  "pictures/shrink-picture.ts",
  "pay/picture.ts",
  "pay/carry-over.ts",
  "pay/leave.ts",
  "pay/theme.ts",
  "pay/pay.ts",
];

function joinModules(texts: readonly string[]): string {
  return texts.map((text) => text.replace(/^import [^;]*;$/gm, "").replace(/^export /gm, "")).join("\n");
}

const contentTypes = { css: "text/css; charset=utf-8", js: "text/javascript; charset=utf-8", svg: "image/svg+xml" };

function fileOf(stem: string, extension: keyof typeof contentTypes, text: string): PageFile {
  const plain = Buffer.from(text);
  const hash = createHash("sha256").update(plain).digest("hex").slice(0, 12);
  return {
    name: `${stem}.${hash}.${extension}`,
    content_type: contentTypes[extension],
    plain,
    gzip: once(() => promisify(gzip)(plain, { level: 9 })),
    brotli: once(() => promisify(brotliCompress)(plain)),
  };
}

/** Concurrent and later calls share the work of the first one; after a failure the next call tries again. */
function once<T>(work: () => Promise<T>): () => Promise<T> {
  let done: Promise<T> | undefined;
  return () =>
    (done ??= work().catch((error: unknown) => {
      done = undefined;
      throw error;
    }));
}

/** Removes whole-line comments and indentation; everything that could change the meaning stays, and compression does the rest. */
function shrinkScript(source: string): string {
  return source
    .replace(/^\s*\/\*\*[\s\S]*?\*\/\s*$/gm, "")
    .replace(/^\s*\/\/.*$/gm, "")
    .replace(/^\s+/gm, "")
    .replace(/[ \t]+$/gm, "");
}
