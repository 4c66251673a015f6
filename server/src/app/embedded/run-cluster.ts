import { rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Place } from "./postgres-place.ts";
import { findOrphan, type Postmaster, type PostmasterOptions, startPostmaster, stopPostmaster } from "./postmaster.ts";

const startPatienceMs = 15_000;
/** A last checkpoint may have a gigabyte to write. */
const stopPatienceMs = 120_000;

/** A server that runs for one piece of work and is then stopped. */
export interface Cluster {
  /** As the superuser. */
  url: string;
  pid: number;
  /** Stops it in order, with everything on disk. */
  stop(): Promise<void>;
}

/**
 * The address of a place's server as its superuser, who creates roles and refuses writes if the disk is full; no requests are served with
 * it.
 */
export function superuserUrl(place: Place, port?: number): string {
  const url = new URL("postgres://localhost/postgres");
  Object.assign(url, { username: "tillpost", password: place.password, ...(port === undefined ? {} : { port: String(port) }) });
  url.searchParams.set("host", place.socket);
  return url.href;
}

/** Starts a server on a place that nothing else uses, on a separate port: several may have their sockets in one folder. */
export async function runCluster(place: Place, options: PostmasterOptions & { port: number }): Promise<Cluster> {
  const settings = { ...options.settings, port: String(options.port) };
  // A lock left by a power failure refers to a process id that may be another process by now, and the server wouldn't start.
  for (const name of [`.s.PGSQL.${options.port}`, `.s.PGSQL.${options.port}.lock`]) await rm(join(place.socket, name), { force: true });
  const { pid } = await startPatiently(() => startPostmaster(place, { ...options, settings }));
  return { url: superuserUrl(place, options.port), pid, stop: () => stopPostmaster(pid, place.data, stopPatienceMs) };
}

/** Stops a server that a killed program left running on this data. Returns its process id, or null if there was none. */
export async function stopOrphan(data: string): Promise<number | null> {
  const orphan = findOrphan(data);
  if (orphan !== null) await stopPostmaster(orphan, data);
  return orphan;
}

/** Backends of a killed server release the data only moments later; until then a new server is refused. */
export async function startPatiently(start: () => Promise<Postmaster>): Promise<Postmaster> {
  for (const end = performance.now() + startPatienceMs; ; ) {
    try {
      return await start();
    } catch (error) {
      if (performance.now() > end) throw error;
      await sleep(500);
    }
  }
}
