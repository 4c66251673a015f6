export { listAllSetAside, queueNames, releaseSetAside } from "./queues.ts";
export { type Observe, startWorkers, type Workers } from "./start-workers.ts";
export { tasksOf } from "./tasks.ts";
