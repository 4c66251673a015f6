export { type Observe, startWorkers, type Workers } from "./start-workers.ts";
