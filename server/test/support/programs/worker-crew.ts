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

interface Crew<Plan extends object> {
  /** Takes a plan as its first message, and says `working` once it works. */
  program: URL;
  places: number;
  /** The plan of each worker, by its number in the order in which they start, from 0. */
  planOf(started: number, place: number): Plan;
  /**
   * Does the program's work in this process. With it only the first worker is a program, and only that one can be killed: starting a
   * program takes longer than its work in a short test.
   */
  workHere?: (plan: Plan) => { stop(): Promise<void> };
}

interface Worker {
  kill(): void;
  stop(): Promise<void>;
}

/** Starts one worker for each place. */
export async function startCrew<Plan extends object>({ program, places, planOf, workHere }: Crew<Plan>): Promise<WorkerCrew> {
  let started = 0;
  const start = (place: number): Worker | Promise<Worker> => {
    const isFirst = started === 0;
    const plan = planOf(started++, place);
    return isFirst || workHere === undefined ? startWorker(program, plan) : { ...workHere(plan), kill: refuseToKill };
  };
  const workers = await Promise.all(Array.from({ length: places }, (_, place) => start(place)));
  return {
    kill: (place) => workers[place]?.kill(),
    async replace(place) {
      workers[place] = await start(place);
    },
    async stop() {
      await Promise.all(workers.map((worker) => worker.stop()));
    },
  };
}

function refuseToKill(): never {
  throw new Error("this worker isn't a program of its own");
}

async function startWorker(program: URL, plan: object): Promise<Worker> {
  const worker = fork(program, { execArgv: ["--disable-warning=ExperimentalWarning"] });
  worker.send(plan);
  const [message] = (await Promise.race([once(worker, "message"), once(worker, "exit")])) as [unknown];
  if (message !== "working") throw new Error("a worker ended before it began");
  return { kill: () => void worker.kill("SIGKILL"), stop: () => stopWorker(worker) };
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
