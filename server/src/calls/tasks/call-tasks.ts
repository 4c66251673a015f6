import type { ChannelTask } from "#messaging/index.ts";
import type { Ctx } from "#platform/index.ts";
import { onHint } from "#platform/index.ts";
import { sweepLines } from "../carrier/sweep-lines.ts";
import { clearCallTexts, expireCalls, releaseCalls } from "../change/maintain-calls.ts";
import { sweepRecordings } from "../recording/delete-recording.ts";
import { storeWaiting } from "../recording/store-file.ts";
import { type Caller, createCaller } from "../running/create-caller.ts";
import { reviveCalls } from "../running/revive-calls.ts";
import { createSimulator, silentSpeech } from "../simulator/create-simulator.ts";
import type { Speech } from "../speech.ts";
import { realTime } from "../timers.ts";
import type { CallTransport } from "../transport.ts";

/** How LIVE calls are placed. */
export interface LiveCalls {
  transport: CallTransport;
  speech: Speech;
  /** The folder of recordings that the transport writes as files or notes. */
  recordings?: string | null;
}

/** Calls' periodic tasks. Without a transport LIVE calls stay queued. */
export function callTasks(live: LiveCalls | undefined): ChannelTask[] {
  let made: Caller | undefined;
  const callerOf = (ctx: Ctx) =>
    (made ??= createCaller({ routes: { live, test: { transport: createSimulator(ctx, realTime), speech: silentSpeech } } }));
  const folder = live?.recordings ?? null;
  return [
    {
      name: "place_calls",
      everyMs: 200,
      run: (ctx) => callerOf(ctx).run(ctx),
      listen: (ctx, wake) => callerOf(ctx).listen(ctx, wake),
      finish: (ctx) => callerOf(ctx).finish(ctx),
    },
    {
      name: "watch_calls",
      everyMs: 500,
      run: (ctx) => callerOf(ctx).watch(ctx),
      listen: (ctx, wake) => onHint(ctx.db, "call_hangups", wake),
    },
    { name: "release_calls", everyMs: 500, run: releaseCalls },
    { name: "revive_calls", everyMs: 4_000, run: reviveCalls },
    { name: "expire_calls", everyMs: 5_000, run: expireCalls },
    { name: "forget_call_texts", everyMs: 60_000, run: clearCallTexts },
    { name: "sweep_call_lines", everyMs: 60_000, run: sweepLines },
    { name: "sweep_recordings", everyMs: 60_000, run: sweepRecordings },
    ...(folder === null
      ? []
      : [{ name: "store_recordings", everyMs: 5_000, run: (ctx: Ctx) => storeWaiting(ctx, folder, live?.transport.findRecording) }]),
  ];
}
