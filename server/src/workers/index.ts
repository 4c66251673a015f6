export { listAllSetAside, queueNames, releaseSetAside } from "./queues.ts";
export { type Observe, startWorkers, type Workers } from "./start-workers.ts";
export { type TaskParts, tasksOf } from "./tasks.ts";
