import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";

/** Programs of one kind that exist to be killed. */
export interface WorkerCrew {
  /** Kills the one in a place without warning. */
  kill(place: number): void;
  /** Starts another one in its place; resolves when that works. */
  replace(place: number): Promise<void>;
  stop(): Promise<void>;
}

interface Crew {
  /** Takes a plan as its first message, and says `working` once it works. */
  program: URL;
  places: number;
  /** The plan of each worker, by its number in the order in which they start, from 0. */
  planOf(started: number, place: number): object;
}

/** Starts one program for each place. */
export async function startCrew({ program, places, planOf }: Crew): Promise<WorkerCrew> {
  let started = 0;
  const start = (place: number) => startWorker(program, planOf(started++, place));
  const workers = await Promise.all(Array.from({ length: places }, (_, place) => start(place)));
  return {
    kill: (place) => void workers[place]?.kill("SIGKILL"),
    async replace(place) {
      workers[place] = await start(place);
    },
    async stop() {
      await Promise.all(workers.map(stopWorker));
    },
  };
}

async function startWorker(program: URL, plan: object): Promise<ChildProcess> {
  const worker = fork(program, { execArgv: ["--disable-warning=ExperimentalWarning"] });
  worker.send(plan);
  const [message] = (await Promise.race([once(worker, "message"), once(worker, "exit")])) as [unknown];
  if (message !== "working") throw new Error("a worker ended before it began");
  return worker;
}

async function stopWorker(worker: ChildProcess): Promise<void> {
  if (worker.exitCode !== null || worker.signalCode !== null) return;
  const ended = once(worker, "exit");
  worker.kill("SIGKILL");
  await ended;
}

/**
 * Waits until this many have arrived, with a limit. Counted in messages, not in time, so that each kill happens during the sending on a
 * slow machine too.
 */
export async function arrived(count: () => number, wanted: number): Promise<void> {
  for (let patience = 0; count() < wanted && patience < 400; patience += 1) await sleep(5);
}
