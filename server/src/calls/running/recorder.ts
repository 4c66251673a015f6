import { encodeMulaw } from "../audio/g711.ts";
import { sampleRate } from "../audio/write-wav.ts";
import type { After } from "../timers.ts";
import type { CallLeg } from "../transport.ts";

/** A recording of what a callee says. */
export interface Recorder {
  /** Ends it; more than once is once. */
  finish(): void;
  /** All of it, μ-law, once it has ended. */
  readonly samples: Promise<Buffer>;
}

/** Listens for at most so many seconds. What comes is kept small: a call may be recorded for minutes. */
export function startRecorder({ leg, after }: { leg: CallLeg; after: After }, seconds: number): Recorder {
  const { promise: samples, resolve } = Promise.withResolvers<Buffer>();
  const most = seconds * sampleRate;
  const heard: Buffer[] = [];
  let length = 0;
  let finish = () => {};
  const deaf = leg.hear((pcm) => {
    const more = encodeMulaw(pcm).subarray(0, most - length);
    heard.push(more);
    length += more.length;
    if (length >= most) finish();
  });
  const cancel = after(seconds * 1_000, () => finish());
  finish = () => {
    deaf();
    cancel();
    resolve(Buffer.concat(heard));
  };
  return { finish: () => finish(), samples };
}
