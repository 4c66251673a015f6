import { readdirSync, readFileSync } from "node:fs";
import { performance } from "node:perf_hooks";
import type { House, TestTenant } from "./house.ts";

export interface Storm {
  answers: Record<number, number>;
  seconds: number;
  /** How much more this process and the picture process together held at the worst moment than before. */
  grownMb: number;
  /** Slowest and typical answers of other requests meanwhile. */
  readP50Ms: number;
  readP99Ms: number;
}

/** Sends uploads all at once over a real socket, reads a profile list all the while, and watches memory. */
export async function uploadStorm(home: House, given: { shop: TestTenant; files: Uint8Array[]; purpose: string }): Promise<Storm> {
  const app = await home.app();
  const base = await app.listen({ port: 0, host: "127.0.0.1" }).catch(() => `http://127.0.0.1:${(app.server.address() as { port: number }).port}`);
  const headers = { authorization: `Bearer ${given.shop.key}` };
  const project = `${base}/api/v1/projects/${given.shop.project_id}`;
  const before = heldMb();
  let peak = before;
  let storming = true;
  const watch = setInterval(() => {
    peak = Math.max(peak, heldMb());
  }, 50);
  const times: number[] = [];
  const reading = (async () => {
    while (storming) {
      const start = performance.now();
      await (await fetch(`${project}/collection-profiles`, { headers })).text();
      times.push(performance.now() - start);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  })();
  const start = performance.now();
  const answers: Record<number, number> = {};
  await Promise.all(
    given.files.map(async (file) => {
      const body = new FormData();
      body.set("purpose", given.purpose);
      body.set("file", new Blob([file as Uint8Array<ArrayBuffer>]), "picture");
      const answer = await fetch(`${project}/assets/upload`, { method: "POST", headers, body });
      await answer.text();
      answers[answer.status] = (answers[answer.status] ?? 0) + 1;
    }),
  );
  const seconds = (performance.now() - start) / 1000;
  storming = false;
  await reading;
  clearInterval(watch);
  times.sort((left, right) => left - right);
  const at = (share: number) => Math.round(times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0);
  return { answers, seconds, grownMb: Math.round(peak - before), readP50Ms: at(0.5), readP99Ms: at(0.99) };
}

/** Memory of this process and of the picture process it started, as Linux counts it. */
function heldMb(): number {
  let kilobytes = residentOf("self");
  for (const entry of readdirSync("/proc")) {
    if (/^\d+$/.test(entry) && isPictureProcess(entry)) kilobytes += residentOf(entry);
  }
  return kilobytes / 1024;
}

function isPictureProcess(pid: string): boolean {
  try {
    return (
      readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("picture-process.ts") &&
      new RegExp(`^PPid:\\s${process.pid}$`, "m").test(readFileSync(`/proc/${pid}/status`, "utf8"))
    );
  } catch {
    return false;
  }
}

function residentOf(pid: string): number {
  try {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0);
  } catch {
    return 0;
  }
}
