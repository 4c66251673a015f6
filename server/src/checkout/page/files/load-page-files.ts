import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { brotliCompressSync, gzipSync } from "node:zlib";
import type { PageFiles } from "../page.ts";
import { compileTokens, shrinkStyle } from "./compile-style.ts";

/** One file of the page as served: its name contains a hash of its content. */
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

let compiled: Promise<[style: PageFile, script: PageFile, mark: PageFile]> | undefined;

/**
 * Reads, compiles and compresses the page's style, script and mark, once per process; takes less than a tenth of a second, so no build step
 * is needed.
 */
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
  "pay/outbox.ts",
  "pictures/shrink-picture.ts",
  "pay/picture.ts",
  "pay/leave.ts",
  "pay/theme.ts",
  "pay/pay.ts",
];

function joinModules(texts: readonly string[]): string {
  return texts.map((text) => text.replace(/^import [^;]*;$/gm, "").replace(/^export /gm, "")).join("\n");
}

const stripper = `
  const { readFileSync } = require("node:fs");
  const { stripTypeScriptTypes } = require("node:module");
  process.stdout.write(JSON.stringify(process.argv.slice(1).map((file) => stripTypeScriptTypes(readFileSync(file, "utf8")))));
`;

/**
 * Compiles our scripts for browsers. A separate process strips the types of all of them, because that takes 20 MB which are never freed.
 */
export async function stripTypes(files: readonly URL[]): Promise<string[]> {
  const { stdout } = await promisify(execFile)(process.execPath, ["--eval", stripper, ...files.map((file) => fileURLToPath(file))], {
    maxBuffer: 16_777_216,
  });
  return JSON.parse(stdout) as string[];
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

/** Removes whole-line comments and indentation; everything that could change the meaning stays, and compression does the rest. */
function shrinkScript(source: string): string {
  return source
    .replace(/^\s*\/\*\*[\s\S]*?\*\/\s*$/gm, "")
    .replace(/^\s*\/\/.*$/gm, "")
    .replace(/^\s+/gm, "")
    .replace(/[ \t]+$/gm, "");
}
