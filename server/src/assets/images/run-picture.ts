import type { ChildProcess } from "node:child_process";
import { link, rm } from "node:fs/promises";
import { setPriority } from "node:os";
import { fileURLToPath } from "node:url";
import { createFairShares, platformErrors } from "#platform/index.ts";
import { assetErrors } from "../errors.ts";
import { nextInTurn } from "./next-in-turn.ts";
import { pictureFolder, picturePath } from "./picture-folder.ts";
import { type PictureJob, pixelsMax } from "./reencode-picture.ts";
import { startConfined } from "./start-confined.ts";
import { type TakenPicture, takePicture } from "./take-picture.ts";

interface Waiting {
  owner: string;
  job: PictureJob;
  /** A job during which the process died runs again alone, so that the faulty one is found and doesn't affect others twice. */
  alone: boolean;
  resolve(read: unknown): void;
  reject(error: unknown): void;
  timer?: NodeJS.Timeout;
}

/** What the process should send. It decodes strangers' files, so nothing is certain. */
type Answer = Partial<Record<"number" | "read" | "fault" | "pixels", unknown>>;

/** Three are in progress at once, plus a fourth for an owner that would otherwise find all three taken. */
const places = createFairShares({ usual: 3, reserved: 2 });
/** 200 may wait or be in progress, 100 of one owner. */
const accepted = createFairShares({ usual: 100, reserved: 100 });
/**
 * Far above the two or three seconds of processor time that the largest and most hostile picture takes: on a machine that is busy with
 * requests, genuine pictures just wait longer.
 */
const jobTimeoutMs = 120_000;
const idleMs = 20_000;
/** After this many pictures another process takes over, long before the limit of processor time. */
const picturesMax = 200;

const queue: Waiting[] = [];
/** Processed before all others: those during which a process died. */
const again: Waiting[] = [];
const running = new Map<number, Waiting>();
let child: ChildProcess | null = null;
let idle: NodeJS.Timeout | undefined;
let lastNumber = 0;
let served = 0;

/**
 * Checks and re-encodes a picture in a separate process: a few at once, owners in turns, at lower priority than requests, each for at most
 * two minutes. The process starts with the first picture and ends 20 s after the last. Throws image_unreadable, too_many_pixels;
 * service_unavailable if the owner's share of the queue is full.
 */
export async function runPicture(job: Omit<PictureJob, "to">): Promise<TakenPicture> {
  if (accepted.leftOf(job.owner) <= 0) throw platformErrors.service_unavailable({ headers: { "retry-after": "5" } });
  accepted.change(job.owner, 1);
  try {
    return await runAccepted(job);
  } finally {
    accepted.change(job.owner, -1);
  }
}

async function runAccepted(job: Omit<PictureJob, "to">): Promise<TakenPicture> {
  const [from, to] = [picturePath(), picturePath()];
  try {
    // The process only has access to this folder, not to other uploads in progress.
    await link(job.from, from);
    return await takePicture(to, await queued({ ...job, from, to }), job);
  } finally {
    await Promise.all([from, to].map((path) => rm(path, { force: true, recursive: true })));
  }
}

function queued(job: PictureJob): Promise<unknown> {
  return new Promise((resolve, reject) => {
    queue.push({ owner: job.owner, job, alone: false, resolve, reject });
    startNext();
  });
}

function startNext(): void {
  clearTimeout(idle);
  if (served >= picturesMax && running.size === 0) retire();
  for (let next = takeNext(); next !== undefined; next = takeNext()) start(next);
  if (running.size > 0 || child === null) return;
  child.unref();
  child.channel?.unref();
  idle = setTimeout(() => child?.kill(), idleMs).unref();
}

function takeNext(): Waiting | undefined {
  if (served >= picturesMax || someRunsAlone()) return undefined;
  if (again.length > 0) return running.size === 0 ? again.shift() : undefined;
  const next = nextInTurn(running.values(), queue, ({ owner }) => places.leftOf(owner) > 0);
  if (next !== undefined) queue.splice(queue.indexOf(next), 1);
  return next;
}

function retire(): void {
  child?.kill();
  child = null;
  served = 0;
}

function start(waiting: Waiting): void {
  child ??= startProcess();
  child.ref();
  child.channel?.ref();
  lastNumber += 1;
  served += 1;
  const number = lastNumber;
  running.set(number, waiting);
  places.change(waiting.owner, 1);
  waiting.timer = setTimeout(() => {
    finish(number, () => waiting.reject(assetErrors.image_unreadable({ param: "file", cause: new Error("took too long") })));
    child?.kill("SIGKILL");
  }, jobTimeoutMs);
  child.send({ number, job: waiting.job });
}

function finish(number: number, settle: () => void): void {
  const waiting = running.get(number);
  if (waiting === undefined) return;
  clearTimeout(waiting.timer);
  running.delete(number);
  places.change(waiting.owner, -1);
  settle();
}

function startProcess(): ChildProcess {
  const started = startConfined(fileURLToPath(new URL("./picture-child.ts", import.meta.url)), pictureFolder());
  if (started.pid !== undefined) lowerPriority(started.pid);
  started.on("message", (message) => {
    const answer: Answer = typeof message === "object" ? message : {};
    const number = Number(answer.number);
    const waiting = running.get(number);
    finish(number, () => {
      if ("read" in answer) waiting?.resolve(answer.read);
      else waiting?.reject(refusalOf(answer));
    });
    startNext();
  });
  started.on("error", () => {});
  started.on("exit", () => afterExit(started));
  return started;
}

function refusalOf({ fault, pixels }: Answer): Error {
  const cause = new Error(String(fault).slice(0, 300));
  if (typeof pixels !== "number") return assetErrors.image_unreadable({ param: "file", fields: { reason: "damaged" }, cause });
  const message = `The image has ${(pixels / 1e6).toFixed(1)} megapixels; the limit is ${pixelsMax / 1e6}.`;
  return assetErrors.too_many_pixels({ param: "file", message, fields: { reason: "too_many_pixels" }, cause });
}

function afterExit(ended: ChildProcess): void {
  if (child !== ended) return;
  child = null;
  served = 0;
  for (const [number, waiting] of [...running.entries()]) {
    finish(number, () => {
      if (waiting.alone)
        waiting.reject(assetErrors.image_unreadable({ param: "file", cause: new Error("the picture process died twice") }));
      else again.push({ ...waiting, alone: true });
    });
  }
  startNext();
}

function someRunsAlone(): boolean {
  for (const waiting of running.values()) if (waiting.alone) return true;
  return false;
}

/** Requests take precedence; if the system doesn't allow a lower priority, an equal one is fine. */
function lowerPriority(pid: number): void {
  try {
    setPriority(pid, 5);
  } catch {
    return;
  }
}
