import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { freePort } from "#test/support/network/free-port.ts";
import { wechatCode } from "#test/support/payments/pay-shop.ts";
import { poster } from "#test/support/pictures/pictures.ts";
import { type Program, startProgram, temporaryFolder } from "#test/support/programs/program.ts";
import { startedFolder } from "#test/support/programs/started-folder.ts";
import { wechatWorkbook } from "#test/support/statements/merchant-bills.ts";
import { eventually } from "#test/support/time/eventually.ts";
import { asks, type Block, blocksOf, expectAnswer, Reader, type Running } from "./guides.ts";

/** Already runs, has no end that a reader waits for, needs a PostgreSQL of the reader, or changes the machine. */
const leftOut = /npm start$| listen |^psql /;
/** What a reader sees a moment after a request: blocks that only read are repeated until they show it. */
const onlyReads = (text: string) => !/ -d | -X | (create|revoke|trigger|doctor|migrate|recover)/.test(text);

const folders = ["", "messaging/"];

/** Every guide with requests. */
export const guides: readonly string[] = folders
  .flatMap((path) => readdirSync(new URL(`../../../../docs/${path}`, import.meta.url)).map((name) => `${path}${name}`))
  .filter((name) => name.endsWith(".md") && blocksOf(name).some(asks));

/** A new installation that serves, and readers who follow guides on it, one after the other. */
export class GuideReaders {
  readonly #folder = temporaryFolder();
  #program: Program | null = null;
  #running: Running | null = null;
  #demo = "";

  async start(): Promise<void> {
    const folder = await startedFolder(join(this.#folder.path, "data"));
    const port = await freePort();
    const env = { LOG_PRETTY: "off" };
    this.#program = await startProgram({ dataDir: folder, port, env });
    const { url } = await this.#program.ready();
    const { project_id, api_key } = this.#program.demo();
    this.#demo = `${project_id} ${api_key}`;
    this.#running = { url, folder, port, env };
    writeFileSync(join(folder, "my-code.jpg"), await poster(wechatCode));
    writeFileSync(join(folder, "statement.xlsx"), wechatWorkbook([{ payer: "妈妈", type: "微信红包", amount: "6.66" }]));
  }

  async end(): Promise<void> {
    await this.#program?.stop();
    this.#folder.remove();
  }

  /** Makes every request of a guide as it is written, in order, and compares what returns with what the guide says. */
  async follow(guide: string): Promise<void> {
    if (this.#running === null) throw new Error("the installation hasn't started");
    const reader = new Reader(this.#running);
    reader.copy(this.#demo);
    for (const block of blocksOf(guide)) {
      const lines = block.text.split("\n").filter((line) => !leftOut.test(line));
      const text = lines.join("\n").replaceAll("you@", `${guide}@`);
      await followBlock(reader, { ...block, text }, block.text);
    }
  }
}

async function followBlock(reader: Reader, block: Block, written: string): Promise<void> {
  const says = [...written.matchAll(/# ("\w+": "\w+")$/gm)].map(([, expected = ""]) => expected.replace(": ", ":"));
  let printed = "";
  const answers = async () => {
    printed = await reader.follow(block);
    return says.every((expected) => printed.includes(expected));
  };
  if (onlyReads(written)) await eventually(`line ${block.line}: ${written}`, () => answers().catch(() => false), { everyMs: 200 });
  else await answers();
  for (const expected of says) expect(printed).toContain(expected);
  if (block.answer !== null) expectAnswer(printed, block.answer);
}
