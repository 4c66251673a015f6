import { type Logger, pino } from "pino";
import { maskCardNumbers } from "#platform/index.ts";

const secretFields =
  /"((?:proxy-)?authorization|x-api-key|cookie|set-cookie|password|secret|token|api_key|master_keys)":"(?:[^"\\]|\\.)*"/gi;
const credentials = /\b((?:pl|svc)_(?:test|live)_)[0-9A-Za-z]+([0-9A-Za-z]{4})\b/g;
const webhookSecrets = /\bwhsec_[0-9A-Za-z+/=_-]+/g;
const urlPasswords = /(\b[a-z][a-z0-9+]*:\/\/[^\s:/@"]*):[^\s/@"]+@/gi;

/** Removes secrets from a finished log line, wherever they are in it; link tokens and keys keep their last four characters. */
export function maskSecrets(line: string): string {
  const masked = line
    .replace(secretFields, '"$1":"[hidden]"')
    .replace(credentials, "$1…$2")
    .replace(webhookSecrets, "whsec_…")
    .replace(urlPasswords, "$1:…@");
  return maskCardNumbers(masked);
}

/** The process's logger: JSON lines, or one short line each for people. Every line passes through `maskSecrets`. */
export function makeLog(options: { level: string; pretty: boolean; write?: (line: string) => void }): Logger {
  const write = options.write ?? ((line: string) => void process.stdout.write(line));
  const destination = { write: (line: string) => write(options.pretty ? prettyLine(maskSecrets(line)) : maskSecrets(line)) };
  return pino(
    { level: options.level, base: null, timestamp: pino.stdTimeFunctions.isoTime, formatters: { level: (label) => ({ level: label }) } },
    destination,
  );
}

function prettyLine(line: string): string {
  try {
    const { level, time, msg, err, ...rest } = JSON.parse(line) as {
      level: string;
      time: string;
      msg?: string;
      err?: { stack?: string; message?: string };
    };
    const fields = Object.entries(rest).map(([name, value]) => ` ${name}=${typeof value === "string" ? value : JSON.stringify(value)}`);
    const fault = err === undefined ? "" : `\n${err.stack ?? err.message ?? ""}`;
    return `${time.slice(11, 19)} ${level.padEnd(5)} ${msg ?? ""}${fields.join("")}${fault}\n`;
  } catch {
    return line;
  }
}
