import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { TestApp, TestTenant } from "#test/support/app/test-app.ts";
import { pictureProcesses } from "./picture-process.ts";
import { noise } from "./pictures.ts";

export interface Storm {
  answers: Record<number, number>;
  seconds: number;
  /** How much more memory this process and the picture process together used at their peak than this one, warm, used before. */
  grownMb: number;
  /** Slowest and typical response times of other requests during the uploads. */
  readP50Ms: number;
  readP99Ms: number;
}

export interface StormOptions {
  shop: TestTenant;
  file: Buffer;
  count: number;
  purpose: string;
  /** Small pictures that are uploaded one after another before; 50 by default. */
  warmUps?: number;
}

/**
 * Sends a file many times concurrently over a real socket, reads a profile list during that time, and watches the memory of everything that
 * serves it.
 */
export async function uploadStorm(app: TestApp, given: StormOptions): Promise<Storm> {
  keepNothing(app);
  const server = await app.server();
  const base = server.server.listening
    ? `http://127.0.0.1:${(server.server.address() as AddressInfo).port}`
    : await server.listen({ port: 0, host: "127.0.0.1" });
  const project = `${base}/api/v1/projects/${given.shop.project_id}`;
  await warmUp(project, given);
  const before = residentOf("self") / 1024;
  let peak = before;
  const watch = setInterval(() => {
    peak = Math.max(peak, heldMb());
  }, 50);
  const reading = readAllTheWhile(`${project}/collection-profiles`, given.shop.key);
  const start = performance.now();
  const answers = await runClient([`${project}/assets/upload`, given.shop.key, given.purpose], given);
  const seconds = (performance.now() - start) / 1000;
  const times = await reading.end();
  clearInterval(watch);
  const at = (share: number) => Math.round(times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0);
  return { answers, seconds, grownMb: Math.round(peak - before), readP50Ms: at(0.5), readP99Ms: at(0.99) };
}

/** A new server grows with its first requests, whatever they contain. */
async function warmUp(project: string, { shop, purpose, warmUps = 50 }: StormOptions): Promise<void> {
  const headers = { authorization: `Bearer ${shop.key}` };
  for (let round = 0; round < warmUps; round += 1) {
    const body = new FormData();
    body.append("purpose", purpose);
    body.append("file", new Blob([await noise(64, 64, 30).png().toBuffer()]), "small.png");
    await (await fetch(`${project}/assets/upload`, { method: "POST", headers, body })).text();
    await (await fetch(`${project}/collection-profiles`, { headers })).text();
  }
}

/** What is stored goes to a disk elsewhere in reality, and would count as memory here. */
function keepNothing(app: TestApp): void {
  Object.assign(app.ctx, { files: { put: async () => {}, get: async () => null, remove: async () => {} } });
}

async function runClient(args: string[], given: { file: Buffer; count: number }): Promise<Record<number, number>> {
  const folder = await mkdtemp(join(tmpdir(), "tillpost-storm-"));
  const path = join(folder, "picture");
  await writeFile(path, given.file);
  const client = fileURLToPath(new URL("./upload-client.ts", import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, [client, ...args, path, String(given.count)]);
  await rm(folder, { recursive: true });
  return JSON.parse(stdout);
}

/** About half an hour of reads: a test that fails before it ends the reader must not leave it running. */
const maxReads = 100_000;

function readAllTheWhile(url: string, key: string): { end(): Promise<number[]> } {
  const times: number[] = [];
  let reading = true;
  const done = (async () => {
    while (reading && times.length < maxReads) {
      const start = performance.now();
      await (await fetch(url, { headers: { authorization: `Bearer ${key}` } })).text();
      times.push(performance.now() - start);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  })();
  return {
    async end() {
      reading = false;
      await done;
      return times.sort((left, right) => left - right);
    },
  };
}

/** Memory of this process and of the picture process it started, as Linux counts it. */
function heldMb(): number {
  let kilobytes = residentOf("self");
  for (const pid of pictureProcesses()) kilobytes += residentOf(pid);
  return kilobytes / 1024;
}

function residentOf(pid: number | "self"): number {
  try {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0);
  } catch {
    return 0;
  }
}
