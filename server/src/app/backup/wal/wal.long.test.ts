import { readFileSync, writeFileSync } from "node:fs";
import { beforeAll, expect, it } from "vitest";
import { liveAcrossKill } from "#test/support/backups/across-kill.ts";
import { walWorld } from "#test/support/backups/wal-world.ts";
import { ordersIn } from "#test/support/programs/stopped-app.ts";
import { makeIdentity } from "../archive/make-identity.ts";

const world = await walWorld();
const { at, dataDir, restore, takeKeys } = world;
let lived: Awaited<ReturnType<typeof liveAcrossKill>>;

beforeAll(async () => {
  lived = await liveAcrossKill(world);
});

it("a backup and the write-ahead log since then restore to a chosen time, across a kill and a restart", async () => {
  const { backup, until, ids, lastBefore } = lived;
  const restored = await restore(backup, "chosen", "--at", until);
  expect(restored).toMatchObject({ code: 0, output: expect.stringContaining(`as it was at ${until}`) });
  // It may be much older than that time: a clock that was ahead for a moment ends the restore early.
  const [, last = ""] = /: the last change in it is from (\S+Z)\.$/m.exec(restored.output) ?? [];
  expect([last >= lastBefore, last <= until], `the last change: ${last}`).toEqual([true, true]);
  expect(await ordersIn(takeKeys("chosen"))).toEqual(ids);
  const audited = await world.run(["doctor", "--ledger", "--audit"], { dataDir: at("chosen") });
  expect(audited.output).toMatch(/ok {5}audit +the anchors carry this audit log's seal \(1 day/);
  expect(audited.output).not.toContain("FAILED");
});

it("a backup and the write-ahead log since then are verified at a chosen time, across a kill and a restart", async () => {
  const verified = await world.verify(lived.backup, "--at", lived.until);
  expect(verified).toMatchObject({ code: 0, output: expect.stringContaining("This backup restores.") });
  expect(verified.output).not.toContain("anchors end before");
  expect(verified.output).toMatch(/every audit row is chained to the one before \([1-9]/);
});

it("after another public key was set, a restore to an earlier time needs the earlier key, and one to the end both", async () => {
  const { backup, until, ids } = lived;
  await makeIdentity(at("later-key"));
  writeFileSync(at("both-keys"), readFileSync(at("later-key"), "utf8") + readFileSync(at("backup-key"), "utf8"));
  const recipient = /age1\w+/.exec(readFileSync(at("later-key"), "utf8"))?.[0] ?? "";
  const installation = await world.open(dataDir, { BACKUP_WAL: "on", BACKUP_RECIPIENT: recipient });
  const { id } = await installation.order();
  await installation.close();
  expect(await restore(backup, "never", "--at", "latest")).toMatchObject({
    code: 1,
    output: expect.stringContaining("doesn't open this backup"),
  });
  expect(await restore(backup, "earlier", "--at", until)).toMatchObject({
    code: 0,
    output: expect.stringContaining("was only used up to this point"),
  });
  expect(await ordersIn(takeKeys("earlier"))).toEqual(ids);
  expect(await world.verify(backup, "--at", until)).toMatchObject({
    code: 0,
    output: expect.stringMatching(/note +backup +\S+ can't be read\./),
  });
  const command = ["restore", backup, "--into", at("end"), "--identity", at("both-keys"), "--at", "latest"];
  expect(await world.run(command)).toMatchObject({ code: 0 });
  expect(await ordersIn(takeKeys("end"))).toEqual(expect.arrayContaining([...ids, id]));
});
