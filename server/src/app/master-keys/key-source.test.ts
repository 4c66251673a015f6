import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { commandOf, temporaryFolder } from "#test/support/programs/program.ts";
import { eventually } from "#test/support/time/eventually.ts";
import { openKeySource } from "./key-source.ts";
import { outputOf } from "./run-key-command.ts";

const folder = temporaryFolder();
afterAll(() => folder.remove());
const none = { MASTER_KEYS: null, MASTER_KEYS_FILE: null, MASTER_KEYS_COMMAND: null, TILLPOST_DATA_DIR: folder.path };
const key = (number: number) => `${number}:${"a5".repeat(32)}`;
const path = join(folder.path, "keys");

describe("a list of keys", () => {
  it.each([
    ["commas", `${key(1)},${key(2)}`],
    ["lines", `${key(1)}\n${key(2)}\n`],
    ["both, as the data folder's own file has them", `${key(1)},\n${key(2)}\n`],
  ])("is read with %s", async (_what, text) => {
    writeFileSync(path, text);
    const read = await openKeySource({ ...none, MASTER_KEYS_FILE: path }).read();
    expect([...read.keys.keys()]).toEqual([1, 2]);
  });

  it("is refused with all of its faults and none of its keys", async () => {
    writeFileSync(path, `${key(1)},${key(1)},2:a5a5,0:${"a5".repeat(32)}`);
    const read = openKeySource({ ...none, MASTER_KEYS_FILE: path }).read();
    await expect(read).rejects.toThrow(
      `MASTER_KEYS_FILE (${path}) can't be read: two keys have the number 1; entry 3 is not <number>:<64 hexadecimal digits>; entry 4 is not`,
    );
    await expect(read).rejects.not.toThrow(/a5/);
  });

  it("that is empty or missing is reported", async () => {
    writeFileSync(path, "\n");
    await expect(openKeySource({ ...none, MASTER_KEYS_FILE: path }).read()).rejects.toThrow("there is no key in it");
    await expect(openKeySource({ ...none, MASTER_KEYS_FILE: `${path}-x` }).read()).rejects.toThrow("no such file");
  });

  it("is worth reading again once it is readable", async () => {
    writeFileSync(path, key(1));
    const source = openKeySource({ ...none, MASTER_KEYS_FILE: path });
    await source.read();
    expect(source.isStale(false)).toBe(false);
    chmodSync(path, 0o640);
    expect(source.isStale(false)).toBe(true);
  });

  it("comes from the data folder by default", () => {
    expect(openKeySource(none)).toMatchObject({ name: join(folder.path, "master-keys"), ownFile: join(folder.path, "master-keys") });
    expect(openKeySource({ ...none, MASTER_KEYS: key(1) }).ownFile).toBeNull();
  });
});

describe("a command", () => {
  const run = (command: string) => openKeySource({ ...none, MASTER_KEYS_COMMAND: command }).read();

  it("prints the keys", async () => {
    expect([...(await run(`printf '%s' '${key(3)}'`)).keys.keys()]).toEqual([3]);
  });

  it.each([
    ["fails", `echo ${key(1)}; echo ${key(1)} >&2; exit 3`, "it ended with code 3"],
    ["is ended", "kill -9 $$", "it was ended by SIGKILL"],
    ["prints something else", "echo a5a5", "entry 1 is not"],
    ["prints nothing", "true", "there is no key in it"],
    ["prints without end", "yes a5a5", "it printed more"],
    ["does not exist", "/no/such/program", "it ended with code 127"],
  ])("that %s is refused, without what it printed", async (_what, command, why) => {
    const read = run(command);
    await expect(read).rejects.toThrow(`MASTER_KEYS_COMMAND can't be read: ${why}`);
    await expect(read).rejects.not.toThrow(/a5/);
  });

  it("that takes too long is ended with everything that it started", async () => {
    const pidFile = join(folder.path, "pid");
    await expect(outputOf(`sleep 1000 & echo $! > ${pidFile}; wait`, 500)).rejects.toThrow("it didn't finish within 0.5 s");
    const pid = Number(readFileSync(pidFile, "utf8"));
    await eventually("what it started has ended", () => commandOf(pid) === "");
  });
});
