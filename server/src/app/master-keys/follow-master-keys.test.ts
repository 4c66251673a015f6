import { renameSync, symlinkSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pino } from "pino";
import { afterAll, expect, it } from "vitest";
import { notice, readMasterKeys } from "#platform/index.ts";
import { keyPurposes } from "#platform/secrets.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { temporaryFolder } from "#test/support/programs/program.ts";
import { confirmMasterKeys } from "./confirm-master-keys.ts";
import { followMasterKeys, silenceMs } from "./follow-master-keys.ts";
import { openKeySource } from "./key-source.ts";
import { rotateMasterKeys } from "./rotate-master-keys.ts";
import { listHolders, listMasterKeys } from "./sql.ts";

/** Fails the next matching statement after skipping `after` of them, as a lost database would. */
const outage = { text: "", after: 0 };
const { ctx, clock } = await testApp({
  probe(text) {
    if (outage.text === "" || !text.includes(outage.text)) return;
    outage.after -= 1;
    if (outage.after < 0) throw new Error("away");
  },
});
const folder = temporaryFolder();
afterAll(() => folder.remove());
const [first, second, third] = ["a5", "b6", "c7"].map((byte, index) => `${index + 1}:${byte.repeat(32)}`) as [string, string, string];
const path = join(folder.path, "keys");
const write = (text: string) => {
  // As editors and secret stores do: a new file replaces the old one.
  writeFileSync(`${path}.new`, text);
  renameSync(`${path}.new`, path);
};
const lines: string[] = [];
const log = pino({ level: "info" }, { write: (line: string) => void lines.push(line) });
const settings = { MASTER_KEYS: null, MASTER_KEYS_FILE: path, MASTER_KEYS_COMMAND: null, TILLPOST_DATA_DIR: folder.path };
const rotation = { say: () => {}, pause: () => Promise.reject(new Error("waited")) };

write(first);
const source = openKeySource(settings);
/** Only the tests check: they count how often. */
const never = { intervalMs: 2 ** 31 - 1 };
const own = { ...ctx, log, ...never, masterKeys: await source.read() };
await confirmMasterKeys(own);
const follower = await followMasterKeys(own, source, "api");
afterAll(() => follower.stop());
const held = async () => (await listHolders(ctx.db, silenceMs)).map(({ numbers, sealing, signing }) => ({ numbers, sealing, signing }));

it("a process reports its keys, and reads its file again when it changes", async () => {
  expect(await held()).toEqual([{ numbers: [1], sealing: 1, signing: 1 }]);
  write(`${first}\n${second}\n`);
  await follower.check();
  expect(await held()).toEqual([{ numbers: [1, 2], sealing: 1, signing: 1 }]);
  expect(own.masterKeys.current).toBe(1);
});

it.each([
  ["is no list of keys", "secret-a5a5", "entry 1 is not <number>:<64 hexadecimal digits>"],
  ["has another key under a known number", `${first},2:${"d8".repeat(32)}`, "Master key 2 isn't the one for this database"],
  ["lacks the key that seals", `${second},9:${"e9".repeat(32)}`, "Master key 1 is missing"],
])("a file that %s isn't accepted; the log says why, once, without its content", async (_what, text, why) => {
  lines.length = 0;
  for (const _again of [1, 2]) {
    write(text);
    await follower.check();
  }
  expect(lines).toHaveLength(1);
  expect(lines[0]).toContain(why);
  expect(lines[0]).not.toMatch(/secret-|a5a5|b6b6|d8d8|e9e9/);
  expect([...own.masterKeys.keys.keys()]).toEqual([1, 2]);
  expect((await listMasterKeys(ctx.db)).map(({ number }) => number).sort()).toEqual([1, 2]);
  write(`${first},${second}`);
  await follower.check();
});

it("it switches to another current key at its next check, and reports it once what it sealed before is written", async () => {
  const other = { ...ctx, masterKeys: readMasterKeys(`${first},${second}`) };
  await confirmMasterKeys(other);
  let looks = 0;
  const pause = async () => {
    looks += 1;
    await follower.check();
  };
  expect(await rotateMasterKeys(other, { ...rotation, pause })).toMatchObject({ current: 2, removable: [1] });
  expect(looks).toBe(4);
  expect(own.masterKeys.current).toBe(2);
  expect(await held()).toEqual([{ numbers: [1, 2], sealing: 2, signing: 1 }]);
});

it("a key that was removed from the file is dropped once it isn't needed, also if it was removed too early", async () => {
  const late = { ...ctx, masterKeys: readMasterKeys(first) };
  await ctx.transact((tx) => notice(tx, late, { kind: "follow", recipient: "a@corner.books", params: {} }));
  write(second);
  await follower.check();
  expect((await held())[0]?.numbers).toEqual([1, 2]);
  await rotateMasterKeys({ ...ctx, masterKeys: { ...own.masterKeys } }, rotation);
  for (let looks = 0; looks < 15; looks += 1) await follower.check();
  expect(await held()).toEqual([{ numbers: [2], sealing: 2, signing: 1 }]);
  // Of both keys.
  expect(own.masterKeys.derived.size).toBe(2 * keyPurposes.length);
});

it("a file behind a link is read again when the link's target changes", async () => {
  writeFileSync(join(folder.path, "other"), `${second},${third}`);
  unlinkSync(path);
  symlinkSync(join(folder.path, "other"), path);
  // The database is lost between reading the file and the comparison.
  Object.assign(outage, { text: "from master_keys order", after: 1 });
  await expect(follower.check()).rejects.toThrow("away");
  outage.text = "";
  await follower.check();
  expect((await held())[0]?.numbers).toEqual([2, 3]);
});

it("a command is run again if the database knows a newer key than it printed, and is accepted once it prints that key", async () => {
  const printed = join(folder.path, "printed");
  writeFileSync(printed, second);
  const byCommand = { ...settings, MASTER_KEYS_FILE: null, MASTER_KEYS_COMMAND: `cat ${printed}` };
  const patient = openKeySource(byCommand);
  await patient.read();
  // It runs again after a pause, not at each check.
  expect([patient.isStale(false), patient.isStale(true)]).toEqual([false, false]);
  const command = openKeySource(byCommand, 0);
  const process = { ...ctx, log, ...never, masterKeys: await command.read() };
  await confirmMasterKeys(process);
  expect([command.isStale(false), command.isStale(true)]).toEqual([false, true]);
  lines.length = 0;
  const following = await followMasterKeys(process, command, "worker");
  await following.check();
  expect([[...process.masterKeys.keys.keys()], lines]).toEqual([[2], []]);
  writeFileSync(printed, `${second},${third}`);
  await following.check();
  expect([...process.masterKeys.keys.keys()]).toEqual([2, 3]);
  expect(lines).toHaveLength(1);
  expect(lines[0]).not.toMatch(/b6b6|c7c7/);
  await following.stop();
});

it("a process that returns without the key that now seals reports it once, and still opens what it can", async () => {
  const away = { ...ctx, log, ...never, masterKeys: readMasterKeys(second) };
  await confirmMasterKeys(away);
  const keys = { ...settings, MASTER_KEYS_FILE: null, MASTER_KEYS: second };
  const returned = await followMasterKeys(away, openKeySource(keys), "worker");
  clock.advance(silenceMs + 1);
  await follower.check();
  const other = { ...ctx, masterKeys: readMasterKeys(`${second},${third}`) };
  await confirmMasterKeys(other);
  await rotateMasterKeys(other, { ...rotation, pause: () => follower.check() });
  lines.length = 0;
  await returned.check();
  await returned.check();
  expect(lines.filter((line) => line.includes("Master key 3 encrypts new secrets, but this process doesn't have it."))).toHaveLength(1);
  expect(away.masterKeys.current).toBe(2);
  await returned.stop();
});

it("a process that hasn't reported for a while is no longer waited for", async () => {
  clock.advance(silenceMs + 1);
  expect(await held()).toEqual([]);
  await follower.check();
  expect(await held()).toHaveLength(1);
  await follower.stop();
  expect(await held()).toEqual([]);
});
