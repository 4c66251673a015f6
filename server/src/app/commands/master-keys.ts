import { setTimeout as sleep } from "node:timers/promises";
import { type Ctx, counted } from "#platform/index.ts";
import type { Given } from "../command.ts";
import type { Settings } from "../config.ts";
import {
  addMasterKey,
  type ExposedCount,
  followMasterKeys,
  type KeyHolder,
  type ListedKey,
  listKeysInUse,
  type Rotated,
  type Rotation,
  revokeMasterKey,
  rotateMasterKeys,
} from "../master-keys/index.ts";
import type { Runtime } from "../runtime/index.ts";
import { withHandOut } from "./process/hand-out.ts";
import { runAlongside } from "./process/run-alongside.ts";

const say = (line: string) => void process.stdout.write(`${line}\n`);

export async function run(settings: Settings, given: Given): Promise<number> {
  const [verb = "list"] = given.words;
  if (!["list", "add", "rotate", "revoke"].includes(verb)) throw new Error(`master-keys can list, add, rotate and revoke, not ${verb}.`);
  const number = Number(given.words[1] ?? 0);
  if (verb === "revoke" && !(number > 0)) throw new Error("Which master key? master-keys revoke <number>");
  let code = 0;
  await runAlongside(settings, async (ctx, runtime) => {
    if (verb === "list") return list(ctx);
    if (verb === "add") return add(ctx, runtime, given);
    if (verb === "revoke") return revoke(ctx, runtime, number);
    const rotated = await rotateMasterKeys(ctx, rotationOf(ctx, runtime));
    code = rotated.closed.length === 0 ? 0 : 1;
    return report(rotated, runtime);
  });
  return code;
}

async function list(ctx: Ctx): Promise<string> {
  const { keys, holders } = await listKeysInUse(ctx);
  const lines = keys.flatMap((key) => [
    `${String(key.number).padStart(4)}  ${key.fingerprint}  ${describe(key)}`,
    ...key.seals.map(sealsLine),
  ]);
  return [
    ...lines,
    "",
    holders.length === 0 ? "No process is running." : "Running processes and their keys:",
    ...holders.map(holderLine),
  ].join("\n");
}

function describe(key: ListedKey): string {
  const words = [
    key.is_current ? "current: encrypts new secrets" : "opens",
    ...(key.signs ? ["signs"] : []),
    ...(key.is_revoked ? ["revoked"] : []),
    ...(key.is_here ? [] : [key.is_kept ? "removed; keys derived from it are kept" : "not given to this process"]),
  ];
  return words.join(", ");
}

const sealsLine = ({ column, count }: { column: string; count: number }) => `${" ".repeat(24)}${column}: ${count}`;
const holderLine = ({ name, numbers, sealing }: KeyHolder) => `  ${name}: ${numbers.join(", ")}; encrypts with ${sealing}`;

async function add(ctx: Ctx, { keySource }: Runtime, given: Given): Promise<string> {
  if (keySource.ownFile !== null) {
    const { number } = await addMasterKey(ctx, keySource);
    return `Master key ${number} was added to ${keySource.ownFile}. A running server reads it within seconds. Update your copy of that file, then run: master-keys rotate`;
  }
  return withHandOut(given, process.stdout.isTTY, async (handOut) => {
    const { number, entry } = await addMasterKey(ctx, keySource);
    const where = `Add it to ${keySource.name} for every process, and keep the older keys there. Add it to your copy of the keys too. Then run: master-keys rotate`;
    return [`Master key ${number} encrypts nothing yet, and isn't shown again.`, "", `  ${await handOut(entry ?? "")}`, "", where].join(
      "\n",
    );
  });
}

function rotationOf(ctx: Ctx, { keySource }: Runtime): Rotation {
  return { say, pause: () => sleep(500), join: () => followMasterKeys(ctx, keySource, "master-keys") };
}

async function revoke(ctx: Ctx, runtime: Runtime, number: number): Promise<string> {
  const exposed = await revokeMasterKey(ctx, number, rotationOf(ctx, runtime));
  return [
    `Master key ${number} is revoked: sessions, links in emails and other addresses signed under it no longer work.`,
    "",
    ...advice(exposed),
  ].join("\n");
}

function advice(exposed: readonly ExposedCount[]): string[] {
  return [
    "Someone with this key and an old copy of the database can read the secrets in that copy. Replace them:",
    ...exposed.map(({ count, one, many, remedy }) => `  ${counted(count, one, many)}: ${remedy}`),
  ];
}

function report({ current, done, closed, removable, absent }: Rotated, { keySource }: Runtime): string {
  const lines = [
    `Master key ${current} is current and encrypts everything.${done === 0 ? "" : ` Re-encrypted: ${counted(done, "value")}.`}`,
  ];
  if (closed.length > 0)
    lines[0] = `${counted(closed.length, "value doesn't", "values don't")} decrypt and didn't change:\n${closed.map((one) => `  ${one}`).join("\n")}`;
  if (absent.length > 0)
    lines.push(
      `Master key ${absent.join(", ")} was added, but isn't in ${keySource.name}. Add it there for every process, then rotate again.`,
    );
  if (removable.length === 0) return lines.join("\n");
  const names = `${removable.length === 1 ? "key" : "keys"} ${removable.join(", ")}`;
  return [
    ...lines,
    `You can remove master ${names} from ${keySource.name}.`,
    "Keep a copy as long as you keep backups made before now: they can only be decrypted with it.",
  ].join("\n");
}
