import { writeSync } from "node:fs";
import { Session } from "node:inspector";
import { parentPort, workerData } from "node:worker_threads";

/** When the main thread's event loop last completed a round, as `process.hrtime.bigint()`. */
export type LastRound = BigInt64Array<SharedArrayBuffer>;

export interface WatchdogData {
  buffer: SharedArrayBuffer;
  alarmMs: number;
  /** File descriptor for a line while the main thread can't write one. */
  file: number;
}

/** A period in which the main thread didn't complete a round. */
export interface Stall {
  stalledMs: number;
  /** The functions that ran at its start, innermost first. */
  ran: string[];
}

const maxFrames = 12;
/** A thread that isn't running, as on a machine that was asleep, reports nothing. */
const stackMs = 5_000;
const { buffer, alarmMs, file } = workerData as WatchdogData;
const lastRound: LastRound = new BigInt64Array(buffer);

let open: { at: bigint; ran: string[] } | null = null;

/** Checks whether the main thread completes rounds. */
setInterval(() => {
  const last = Atomics.load(lastRound, 0);
  if (open !== null && open.at !== last) {
    parentPort?.postMessage({ stalledMs: Math.round(Number(last - open.at) / 1e6), ran: open.ran } satisfies Stall);
    open = null;
  }
  const durationMs = Number(process.hrtime.bigint() - last) / 1e6;
  if (open !== null || durationMs < alarmMs) return;
  open = { at: last, ran: [] };
  const known = open;
  readStack((ran) => {
    known.ran = ran;
    const line = {
      level: "error",
      time: new Date().toISOString(),
      stalled_ms: Math.round(durationMs),
      ran,
      msg: "one piece of work holds this process up, which answers no one until it ends",
    };
    writeSync(file, `${JSON.stringify(line)}\n`);
  });
}, alarmMs / 10);

interface Paused {
  params: { callFrames: { functionName: string; location: { scriptId: string; lineNumber: number } }[] };
}

interface Parsed {
  params: { scriptId: string; url: string };
}

/** Stops the main thread for as long as it takes to read which functions are running. */
function readStack(report: (ran: string[]) => void): void {
  const session = new Session();
  let isReported = false;
  const end = (ran: string[]) => {
    if (isReported) return;
    isReported = true;
    clearTimeout(timer);
    session.disconnect();
    report(ran);
  };
  const timer = setTimeout(() => end([]), stackMs);
  try {
    session.connectToMainThread();
    const urls = new Map<string, string>();
    session.on("Debugger.scriptParsed", (message) => {
      const { scriptId, url } = (message as Parsed).params;
      urls.set(scriptId, url);
    });
    session.on("Debugger.paused", (message) => {
      const frames = (message as Paused).params.callFrames.slice(0, maxFrames);
      const ran = frames.map(({ functionName, location: { scriptId, lineNumber } }) => {
        return `${functionName || "(a function)"} ${placeOf(urls.get(scriptId) ?? "")}:${lineNumber + 1}`;
      });
      session.post("Debugger.resume", () => end(ran));
    });
    session.post("Debugger.enable");
    session.post("Debugger.pause");
  } catch {
    end([]);
  }
}

/** Relative to the program's folder, whose location on a machine stays private. */
function placeOf(url: string): string {
  return /(?:node_modules|server\/src)\/.*$/.exec(url)?.[0] ?? url.split("/").at(-1) ?? "";
}
