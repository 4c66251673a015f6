import { type Ctx, counted } from "#platform/index.ts";
import { listAllSetAside, queueNames, releaseSetAside } from "#workers/index.ts";
import type { Given } from "../command.ts";
import type { Settings } from "../config.ts";
import { runAlongside } from "./process/run-alongside.ts";

export async function run(settings: Settings, given: Given): Promise<number> {
  return runAlongside(settings, (ctx) => execute(ctx, given));
}

async function execute(ctx: Ctx, { words }: Given): Promise<string> {
  const [verb = "list", queue, ...jobs] = words;
  if (verb === "list") return list(ctx);
  if (verb !== "release") throw new Error(`queues can list and release, not ${verb}.`);
  if (queue === undefined) throw new Error(`Which queue? queues release <${queueNames(ctx).join("|")}> [<job> …]`);
  const released = await releaseSetAside(ctx, queue, jobs.length === 0 ? null : jobs);
  if (released === null) throw new Error(`There is no queue ${queue}. The queues are ${queueNames(ctx).join(", ")}.`);
  return released === 0 ? "No such job is set aside." : `Released: ${released}. They are retried now.`;
}

async function list(ctx: Ctx): Promise<string> {
  const found = await listAllSetAside(ctx);
  if (found.length === 0) return "Nothing is set aside.";
  const lines = found.map(
    ({ queue, job, deaths, due_at }) => `${queue.padEnd(18)}  ${job}  ${counted(deaths, "worker")} lost, due ${due_at.toISOString()}`,
  );
  return [...lines, "", "To retry them, run queues release <queue> [<job> …]. Without a job, it retries all jobs of the queue."].join("\n");
}
