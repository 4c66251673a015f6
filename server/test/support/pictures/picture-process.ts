import { readdirSync, readFileSync } from "node:fs";
import { pictureFolder } from "#assets/images/picture-folder.ts";
import { eventually } from "#test/support/time/eventually.ts";
import { photo, readPicture } from "./pictures.ts";

/** The processes that read pictures for this one. */
export function pictureProcesses(): number[] {
  return readdirSync("/proc")
    .filter((entry) => /^\d+$/.test(entry) && isOurs(entry))
    .map(Number);
}

function isOurs(pid: string): boolean {
  try {
    const parent = new RegExp(`^PPid:\\s${process.pid}$`, "m");
    return (
      readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("picture-child.ts") && parent.test(readFileSync(`/proc/${pid}/status`, "utf8"))
    );
  } catch {
    return false;
  }
}

/** Stops the image process while `work` runs, so that every image sent in between waits; then it continues, unless `work` ended it. */
export async function whilePicturesWait<T>(work: (pid: number) => Promise<T>): Promise<T> {
  // Starts it, without loading the decoder.
  await readPicture(await photo(8, 8), { owner: "a test", decode: false, logoSide: 64 });
  const [pid = 0] = pictureProcesses();
  process.kill(pid, "SIGSTOP");
  try {
    return await work(pid);
  } finally {
    if (pictureProcesses().includes(pid)) process.kill(pid, "SIGCONT");
  }
}

/** Resolves when `count` pictures wait or are in work. While the picture process is stopped, each is one file in its folder. */
export function picturesWait(count: () => number): Promise<void> {
  return eventually(
    () => `${count()} pictures that wait; there are ${readdirSync(pictureFolder()).length}`,
    () => readdirSync(pictureFolder()).length === count(),
  );
}
