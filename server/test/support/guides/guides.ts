import { execFile, spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect } from "vitest";
import { processEnvironment } from "#app/config.ts";
import { runHere } from "#test/support/programs/run-here.ts";

/** One fenced block of a guide, with the response that the guide states right after it. */
export interface Block {
  line: number;
  text: string;
  answer: string | null;
}

/** The program that a guide's requests go to. */
export interface Running {
  url: string;
  folder: string;
  port: number;
  /** Settings that the command line of the same installation has. */
  env: Record<string, string>;
}

const docs = new URL("../../../../docs/", import.meta.url);
/** The machine's own, or its replacement: the tests need only npm. */
const curl = spawnSync("curl", ["--version"]).status === 0 ? "command curl" : `node ${fileURLToPath(new URL("curl.mjs", import.meta.url))}`;

/** The shell blocks of a guide in order. */
export function blocksOf(guide: string): Block[] {
  const text = readFileSync(new URL(guide, docs), "utf8");
  return [...text.matchAll(/^```sh\n([\s\S]*?)^```\n(?:\n(?:(?!```|#).+\n\n)*```json\n([\s\S]*?)^```\n)?/gm)].map((match) => ({
    line: text.slice(0, match.index).split("\n").length,
    text: match[1] ?? "",
    answer: match[2] ?? null,
  }));
}

/** Whether a block sends the program a request; the others start it or set variables. */
export const asks = ({ text }: Block) => /^(curl|npm run tillpost) /m.test(text);

/** What a reader copies from one response into the next request: ids and tokens, by their prefix, the newest of each. */
export class Reader {
  readonly #running: Running;
  readonly #copied = new Map<string, string>();
  #variables = "";

  constructor(running: Running) {
    this.#running = running;
  }

  copy(text: string): void {
    for (const [id, prefix = ""] of text.matchAll(/\b((?:svc|pl)_(?:test|live)|[a-z]{2,4})_[0-9A-Za-z]{26,40}\b/g))
      this.#copied.set(prefix, id);
  }

  /** Runs a block line by line as a shell does, and returns its output; a refused request fails. */
  async follow({ text, line }: Block): Promise<string> {
    let printed = "";
    for (const command of commandsOf(text)) {
      const filled = this.#fill(command, line);
      if (/^(?:[A-Z]+=(?!.* npm )|at\(\))/.test(filled)) this.#variables += `${filled}\n`;
      else printed += await (/^npm run tillpost -- /.test(filled) ? this.#runTillpost(filled, line) : this.#run(filled, line));
      this.copy(printed);
    }
    return printed;
  }

  #fill(command: string, line: number): string {
    return command.replace(/\b((?:svc|pl)_(?:test|live)|[a-z]{2,4})_…/g, (_all, prefix: string) => {
      const id = this.#copied.get(prefix);
      if (id === undefined) throw new Error(`line ${line}: nothing before it answers ${prefix}_…`);
      return id;
    });
  }

  #run(command: string, line: number): Promise<string> {
    const { url, folder } = this.#running;
    const script = `curl() { ${curl} -sS --fail-with-body "$@"; echo; }\n${this.#variables}${command}`.replaceAll(
      "http://localhost:8080",
      url,
    );
    const path = `${dirname(process.execPath)}:${processEnvironment()["PATH"] ?? ""}`;
    return new Promise((resolve, reject) =>
      execFile("sh", ["-ec", script], { cwd: folder, env: { PATH: path } }, (error, stdout, stderr) =>
        error === null ? resolve(stdout) : reject(new Error(`line ${line}: ${command}\n${stdout}${stderr}`)),
      ),
    );
  }

  /** The shell reads the command's words and where its output goes; a secret, which is shown only on a terminal, is read from its file. */
  async #runTillpost(command: string, line: number): Promise<string> {
    const { folder, port, env } = this.#running;
    const [, rest = "", file] = /^npm run tillpost -- ((?:.|\n)*?)(?: > (\S+).*)?$/.exec(command) ?? [];
    const words = (await this.#run(`printf '%s\\0' ${rest}`, line)).split("\0").slice(0, -1);
    const secret = join(folder, `secret-${randomUUID()}`);
    const isSecret = /^(keys|admin) create/.test(words.join(" "));
    if (isSecret) words.push("--secret-file", secret);
    const { code, output } = await runHere({ dataDir: folder, port, env, command: words, cwd: folder });
    if (code !== 0) throw new Error(`line ${line}: ${command}\n${output}`);
    if (file === undefined) return isSecret ? `${output}${readFileSync(secret, "utf8")}` : output;
    writeFileSync(join(folder, file), output);
    return "";
  }
}

/** Lines that a backslash or an open quote joins are one command. */
function commandsOf(text: string): string[] {
  const commands: string[] = [];
  let open = "";
  for (const line of text.split("\n")) {
    open += open === "" ? line : `\n${line}`;
    const bare = open.replace(/\\["\n]/g, "");
    if (
      line.endsWith("\\") ||
      (bare.match(/'/g)?.length ?? 0) % 2 === 1 ||
      (/^[^']*$/.test(bare) && (bare.match(/"/g)?.length ?? 0) % 2 === 1)
    )
      continue;
    if (open.trim() !== "" && !open.startsWith("#")) commands.push(open);
    open = "";
  }
  return commands;
}

/** Compares the last JSON that was printed with the one in the guide, where `…` stands for any text. */
export function expectAnswer(printed: string, stated: string): void {
  const [last = ""] = printed.trim().split("\n").slice(-1);
  expect(JSON.parse(last)).toMatchObject(withAny(JSON.parse(stated)) as object);
}

function withAny(value: unknown): unknown {
  if (typeof value === "string") {
    if (/^\d{4}-\d\d-\d\dT/.test(value)) return expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/);
    const pattern = value.replace(/[.*+?^${}()|[\]\\]/g, "\\$&").replaceAll("…", ".*");
    return value.includes("…") || value.startsWith("http")
      ? expect.stringMatching(new RegExp(`^${pattern.replace("localhost:8080", "localhost:\\d+")}$`))
      : value;
  }
  if (Array.isArray(value)) return value.map(withAny);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, withAny(field)]));
}
