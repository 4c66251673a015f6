import { stripVTControlCharacters } from "node:util";
import PostalMime from "postal-mime";
import type { Given } from "../command.ts";
import type { Settings } from "../config.ts";
import { ownMailFolder, type StoredMail } from "./own-mail-folder.ts";

/** Only reads the folder, so that it works with or without a running server. */
export async function run(settings: Settings, given: Given): Promise<number> {
  const folder = ownMailFolder(settings.TILLPOST_DATA_DIR, () => new Date());
  const [verb = "list", id] = given.words;
  if (verb !== "list" && verb !== "show") throw new Error(`mail can list and show, not ${verb}.`);
  const mails = settings.EMAIL_TRANSPORT === "outbox" ? await folder.list() : [];
  if (mails.length === 0) {
    const why =
      settings.EMAIL_TRANSPORT === "outbox" ? "None has been written yet." : "This installation sends email, so none is kept as a file.";
    process.stdout.write(`No emails in ${folder.path}. ${why}\n`);
    return verb === "list" ? 0 : 1;
  }
  process.stdout.write(
    verb === "list"
      ? `${(await Promise.all(mails.map(lineOf))).join("\n")}\n`
      : await show(mails, { id, isTerminal: process.stdout.isTTY }),
  );
  return 0;
}

async function lineOf(mail: StoredMail): Promise<string> {
  const { to, subject } = await parse(mail);
  return printable(`${mail.id}  ${mail.kept_at.toISOString().slice(0, 16).replace("T", " ")}  ${to}  ${subject}`);
}

async function show(mails: StoredMail[], { id, isTerminal }: { id: string | undefined; isTerminal: boolean }): Promise<string> {
  const mail = id === undefined ? mails[0] : mails.find((one) => one.id === id);
  if (mail === undefined) throw new Error(`There is no email ${id}. \`mail list\` shows all emails.`);
  const { from, to, subject, date, text } = await parse(mail);
  const head = [`From: ${from}`, `To: ${to}`, `Date: ${date}`, `Subject: ${subject}`].map(printable).join("\n");
  const body = isTerminal ? text : text.replace(/([?&]token=)[^\s&]+/g, "$1…");
  const note =
    body === text ? "" : "The output isn't a terminal, so links are shown without their tokens. The complete email is in this file:\n";
  return `${head}\n\n${body.split("\n").map(printable).join("\n")}\n${note}${mail.file}\n`;
}

async function parse(mail: StoredMail) {
  const parsed = await PostalMime.parse(await mail.read());
  const addresses = (parsed.to ?? []).map(({ address }) => address ?? "").join(", ");
  const from = parsed.from?.name ? `${parsed.from.name} <${parsed.from.address}>` : (parsed.from?.address ?? "");
  return { from, to: addresses, subject: parsed.subject ?? "", date: parsed.date ?? "", text: (parsed.text ?? "").replaceAll("\r", "") };
}

/** An email must not be able to control the terminal that shows it. */
function printable(line: string): string {
  return stripVTControlCharacters(line).replace(/\p{Cc}/gu, " ");
}
