import { expect, it } from "vitest";
import { liveAcrossKill } from "#test/support/backups/across-kill.ts";
import { walWorld } from "#test/support/backups/wal-world.ts";

const world = await walWorld();

it("a backup and the write-ahead log since then are verified at a chosen time, across a kill and a restart", async () => {
  const { backup, until } = await liveAcrossKill(world);
  const verified = await world.verify(backup, "--at", until);
  expect(verified).toMatchObject({ code: 0, output: expect.stringContaining("This backup restores.") });
  expect(verified.output).toMatch(/every audit row is chained to the one before \([1-9]/);
});
