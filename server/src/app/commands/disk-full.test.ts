import { rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { killAll, type Program, temporaryFolder } from "#test/support/programs/program.ts";
import { callDemo } from "#test/support/programs/serving.ts";
import { fill, noSmallDisk, startOnSmallDisk } from "#test/support/programs/small-disk.ts";
import { startedFolder } from "#test/support/programs/started-folder.ts";
import { eventually } from "#test/support/time/eventually.ts";

const folder = temporaryFolder();
const started: Program[] = [];
afterAll(() => {
  killAll(started);
  folder.remove();
});

const order = (program: Program) => callDemo(program, "orders", { amount_minor: 100, currency: "CNY" });

const why = noSmallDisk();
// The long form also starts with room, and lets the disk fill while the program runs; `guard-disk.test.ts` does without a program.
const title = "a start on a nearly full disk, which then is full, serves reads and answers writes with 503; they come back by themselves";

if (why !== null) it(`${title} (not tried on this machine: ${why})`, () => expect(why).not.toBe(""));
else
  it(title, async () => {
    const dataDir = await startedFolder(join(folder.path, "roomy"));
    const env = { DISK_RESERVE_MB: "64" };
    const { program, disk } = await startOnSmallDisk({ size: "500m", leftKib: 47_000, folder: folder.path, env, dataDir });
    started.push(program);
    await program.ready();
    await eventually("writes are refused", async () => (await order(program)).status === 503);
    expect(program.output).toContain("the disk is nearly full");
    expect((await callDemo(program, "orders")).status).toBe(200);
    fill(disk, 0);
    expect(() => fill(disk, -1)).toThrow("ENOSPC");
    expect((await order(program)).status).toBe(503);
    expect((await callDemo(program, "orders")).status).toBe(200);
    rmSync(join(disk, "filler"));
    await eventually("writes are taken again", async () => (await order(program)).status === 201);
    expect((await program.stop()).code).toBe(0);
  });
