import { execFileSync } from "node:child_process";
import { closeSync, existsSync, mkdirSync, openSync, rmSync, statfsSync, writeSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { eventually } from "#test/eventually.ts";
import { databaseProcesses, killNow, type Program, startProgram, temporaryFolder } from "#test/program.ts";

const folder = temporaryFolder();
const started: Program[] = [];
const disk = join(folder.path, "disk");
const isMounted = process.getuid?.() === 0 && mountDisk();

afterAll(() => {
  for (const program of started) {
    program.kill("SIGKILL");
    if (existsSync(join(program.dataDir, "postgres.json"))) databaseProcesses(program.dataDir).forEach(killNow);
  }
  if (isMounted) execFileSync("umount", ["--lazy", disk]);
  folder.remove();
});

/** A small disk of its own; containers often forbid their root to make one. */
function mountDisk(): boolean {
  mkdirSync(disk, { mode: 0o711 });
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=500m,mode=711", "tmpfs", disk], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

async function serve(dataDir: string, env: Record<string, string> = {}): Promise<Program> {
  const program = await startProgram({ dataDir, env });
  started.push(program);
  return program.ready();
}

function call(program: Program, path: string, body?: object): Promise<Response> {
  const { project_id, api_key } = program.demo();
  const headers = { authorization: `Bearer ${api_key}`, "content-type": "application/json" };
  return fetch(
    `${program.url}/api/v1/projects/${project_id}/${path}`,
    body === undefined ? { headers } : { method: "POST", headers, body: JSON.stringify(body) },
  );
}

const order = (program: Program) => call(program, "orders", { amount_minor: 100, currency: "CNY" });

it("a start with less room than DISK_RESERVE_MB serves reads and answers writes with 503; with room it takes writes again", async () => {
  const dataDir = join(folder.path, "data");
  const first = await serve(dataDir);
  const { id } = (await (await order(first)).json()) as { id: string };
  expect((await first.stop()).code).toBe(0);
  const full = await serve(dataDir, { DISK_RESERVE_MB: "1000000000" });
  const refused = await order(full);
  expect([refused.status, ((await refused.json()) as { error: { code: string } }).error.code]).toEqual([503, "service_unavailable"]);
  expect((await call(full, `orders/${id}`)).status).toBe(200);
  expect(full.output).toContain("the disk is nearly full");
  expect((await full.stop()).code).toBe(0);
  const roomy = await serve(dataDir);
  expect((await order(roomy)).status).toBe(201);
  expect((await roomy.stop()).code).toBe(0);
});

if (isMounted)
  it("a disk that runs full ends nothing: reads go on, and writes come back by themselves", async () => {
    const program = await serve(join(disk, "data"), { DISK_RESERVE_MB: "64" });
    const { id } = (await (await order(program)).json()) as { id: string };
    fill(48_000_000);
    await eventually("writes are refused", async () => (await order(program)).status === 503);
    expect((await call(program, `orders/${id}`)).status).toBe(200);
    fill(0);
    expect((await order(program)).status).toBe(503);
    expect((await call(program, `orders/${id}`)).status).toBe(200);
    rmSync(join(disk, "filler"));
    await eventually("writes are taken again", async () => (await order(program)).status === 201);
    expect((await call(program, `orders/${id}`)).status).toBe(200);
    expect((await program.stop()).code).toBe(0);
  });

/** Fills the disk until only so many bytes are left. */
function fill(leftBytes: number): void {
  const file = openSync(join(disk, "filler"), "a");
  const part = Buffer.alloc(1_048_576);
  try {
    for (;;) {
      const { bavail, bsize } = statfsSync(disk);
      const room = bavail * bsize - leftBytes;
      if (room <= 0) return;
      writeSync(file, part, 0, Math.min(part.length, room));
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error;
  } finally {
    closeSync(file);
  }
}
