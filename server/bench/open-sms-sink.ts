import { fork } from "node:child_process";
import { answerOf } from "./answer-of.ts";
import type { SinkDone, SinkOrder } from "./sms-sink.ts";

/** A carrier in a separate process. */
export interface SmsSink {
  port: number;
  /** Resolves once `count` messages have arrived since the last time. */
  until(count: number): Promise<SinkDone>;
  /** Makes it send reports of the ids `r<from>` to `r<to>`; resolves once all are acknowledged. */
  report(from: number, to: number): Promise<SinkDone>;
  stop(): void;
}

export async function openSmsSink(): Promise<SmsSink> {
  const program = fork(new URL("sms-sink.ts", import.meta.url));
  program.send("open");
  const { port } = await answerOf<{ port: number }>(program);
  const ask = (order: SinkOrder) => {
    program.send(order);
    return answerOf<SinkDone>(program);
  };
  return {
    port,
    until: (count) => ask({ kind: "until", count }),
    report: (from, to) => ask({ kind: "report", prefix: "r", from, to }),
    stop: () => program.disconnect(),
  };
}
