import { Session } from "node:inspector";

interface Covered {
  result: { functions: { ranges: { count: number }[] }[] }[];
}

const session = new Session();
session.connect();
post("Profiler.enable");
// What is loaded before has no counters: readers that are to be measured are imported after this file.
post("Profiler.startPreciseCoverage", { callCount: true, detailed: true });

/** Something else may have run since the last measurement. */
let isStale = true;

/** Marks what runs now as part of no measurement. */
export function ignoreSteps(): void {
  isStale = true;
}

/**
 * How many pieces of JavaScript ran while `work` did, in our own code and in libraries: each block of each function as often as it was
 * entered. The same work gives the same number on every machine, however busy it is; what runs inside the engine, such as a regular
 * expression, isn't included.
 */
export async function stepsOf(work: () => unknown): Promise<number> {
  if (isStale) post("Profiler.takePreciseCoverage");
  isStale = false;
  await work();
  const { result } = post("Profiler.takePreciseCoverage") as unknown as Covered;
  let steps = 0;
  for (const { functions } of result) for (const { ranges } of functions) for (const { count } of ranges) steps += count;
  return steps;
}

/** A session of the same thread responds before `post` returns. */
function post(method: string, given: object = {}): object {
  let answer: object | undefined;
  session.post(method, given, (error, result) => {
    if (error !== null) throw new Error(`${method}: ${error.message}`);
    answer = result ?? {};
  });
  if (answer === undefined) throw new Error(`${method} was not answered at once`);
  return answer;
}
