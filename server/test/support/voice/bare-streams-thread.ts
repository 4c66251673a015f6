import { workerData } from "node:worker_threads";
import { type Streams, sendStreams } from "./bare-streams.ts";

await sendStreams(workerData as Streams);
