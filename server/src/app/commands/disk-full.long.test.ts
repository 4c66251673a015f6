import { rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { createOrder } from "#orders/index.ts";
import { killAll, type Program, startProgram, temporaryFolder } from "#test/support/programs/program.ts";
import { callDemo } from "#test/support/programs/serving.ts";
import { fill, noSmallDisk, startOnSmallDisk } from "#test/support/programs/small-disk.ts";
import { startedFolder } from "#test/support/programs/started-folder.ts";
import { openHere } from "#test/support/programs/stopped-app.ts";
import { eventually } from "#test/support/time/eventually.ts";

const folder = temporaryFolder();
const started: Program[] = [];
afterAll(() => {
  killAll(started);
  folder.remove();
});

async function serve(dataDir: string, env: Record<string, string> = {}): Promise<Program> {
  const program = await startProgram({ dataDir, env });
  started.push(program);
  return program.ready();
}

const order = (program: Program) => callDemo(program, "orders", { amount_minor: 100, currency: "CNY" });

it("a start with less room than DISK_RESERVE_MB serves reads and answers writes with 503; once there is room it accepts writes again", async () => {
  const dataDir = await startedFolder(join(folder.path, "data"));
  const full = await serve(dataDir, { DISK_RESERVE_MB: "1000000000" });
  const refused = await order(full);
  expect([refused.status, ((await refused.json()) as { error: { code: string } }).error.code]).toEqual([503, "service_unavailable"]);
  expect((await callDemo(full, "orders")).status).toBe(200);
  expect(full.output).toContain("the disk is nearly full");
  expect((await full.stop()).code).toBe(0);
  const roomy = await openHere(dataDir);
  const tenant = { project_id: full.demo().project_id, livemode: false };
  const taken = createOrder(roomy.ctx, tenant, { amount_minor: 100, currency: "CNY" }).finally(() => roomy.close());
  expect(await taken).toMatchObject({ order: { status: "unpaid" } });
});

const why = noSmallDisk();

/** A test on a small disk, where the machine allows one to be mounted. */
function onSmallDisk(title: string, work: () => Promise<void>): void {
  if (why !== null) it(`${title} (not tried on this machine: ${why})`, () => expect(why).not.toBe(""));
  else it(title, work);
}

async function startSmall(name: string, leftKib?: number) {
  const dataDir = await startedFolder(join(folder.path, name));
  const env = { DISK_RESERVE_MB: "64" };
  const room = { size: "500m", ...(leftKib === undefined ? {} : { leftKib }) };
  const { program, disk } = await startOnSmallDisk({ ...room, folder: folder.path, env, dataDir });
  started.push(program);
  await program.ready();
  return { program, disk };
}

/** Reads `path` while writes are refused, lets the disk be full as well, and makes room again. */
async function fillUp({ program, disk }: Awaited<ReturnType<typeof startSmall>>, path: string): Promise<void> {
  await eventually("writes are refused", async () => (await order(program)).status === 503);
  expect((await callDemo(program, path)).status).toBe(200);
  fill(disk, 0);
  expect(() => fill(disk, -1)).toThrow("ENOSPC");
  expect((await order(program)).status).toBe(503);
  expect((await callDemo(program, path)).status).toBe(200);
  rmSync(join(disk, "filler"));
  await eventually("writes are taken again", async () => (await order(program)).status === 201);
  expect((await callDemo(program, path)).status).toBe(200);
  expect((await program.stop()).code).toBe(0);
}

onSmallDisk("a disk that runs full ends nothing: reads go on, and writes come back by themselves", async () => {
  const small = await startSmall("roomy");
  const { id } = (await (await order(small.program)).json()) as { id: string };
  fill(small.disk, 48_000_000);
  await fillUp(small, `orders/${id}`);
});

const nearly = "a start on a nearly full disk, which then is full, serves reads and answers writes with 503; they come back by themselves";
onSmallDisk(nearly, async () => {
  const small = await startSmall("nearly", 47_000);
  await fillUp(small, "orders");
  expect(small.program.output).toContain("the disk is nearly full");
});
