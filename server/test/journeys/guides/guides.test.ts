import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { asks, blocksOf, expectAnswer, Reader } from "#test/support/guides/guides.ts";
import { freePort } from "#test/support/network/free-port.ts";
import { wechatCode } from "#test/support/payments/pay-shop.ts";
import { poster } from "#test/support/pictures/pictures.ts";
import { startProgram, temporaryFolder } from "#test/support/programs/program.ts";
import { startedFolder } from "#test/support/programs/started-folder.ts";
import { wechatWorkbook } from "#test/support/statements/merchant-bills.ts";
import { eventually } from "#test/support/time/eventually.ts";

const folder = temporaryFolder();
const dataDir = await startedFolder(join(folder.path, "data"));
const port = await freePort();
const env = { LOG_PRETTY: "off" };
const program = await (await startProgram({ dataDir, port, env })).ready();
const running = { url: program.url, folder: dataDir, port, env };
const { project_id, api_key } = program.demo();

afterAll(async () => {
  await program.stop();
  folder.remove();
});

writeFileSync(join(dataDir, "my-code.jpg"), await poster(wechatCode));
writeFileSync(join(dataDir, "statement.xlsx"), wechatWorkbook([{ payer: "妈妈", type: "微信红包", amount: "6.66" }]));

/** Already runs, has no end that a reader waits for, needs a PostgreSQL of the reader, or changes the machine. */
const leftOut = /npm start$| listen |^psql /;
/** What a reader sees a moment after a request: blocks that only read are repeated until they show it. */
const onlyReads = (text: string) => !/ -d | -X | (create|revoke|trigger|doctor|migrate|recover)/.test(text);

const folders = ["", "messaging/"];
const guides = folders
  .flatMap((path) => readdirSync(new URL(`../../../../docs/${path}`, import.meta.url)).map((name) => `${path}${name}`))
  .filter((name) => name.endsWith(".md") && blocksOf(name).some(asks));

test("the guides with requests are known", () => {
  expect(guides).toEqual(
    expect.arrayContaining([
      "first-payment.md",
      "personal-qr.md",
      "webhooks.md",
      "email.md",
      "messaging/sms.md",
      "messaging/calls.md",
      "messaging/verify.md",
      "operations.md",
    ]),
  );
});

test.each(guides)(
  "%s: every request of the guide works as written, in order, and returns what the guide says",
  { timeout: 300_000 },
  async (guide) => {
    const reader = new Reader(running);
    reader.copy(`${project_id} ${api_key}`);
    for (const block of blocksOf(guide)) {
      const says = [...block.text.matchAll(/# ("\w+": "\w+")$/gm)].map(([, expected = ""]) => expected.replace(": ", ":"));
      const lines = block.text.split("\n").filter((line) => !leftOut.test(line));
      const follow = () => reader.follow({ ...block, text: lines.join("\n").replaceAll("you@", `${guide}@`) });
      let printed = "";
      const answers = async () => {
        printed = await follow();
        return says.every((expected) => printed.includes(expected));
      };
      if (onlyReads(block.text))
        await eventually(`line ${block.line}: ${block.text}`, () => answers().catch(() => false), { withinMs: 60_000, everyMs: 400 });
      else await answers();
      for (const expected of says) expect(printed).toContain(expected);
      if (block.answer !== null) expectAnswer(printed, block.answer);
    }
  },
);
