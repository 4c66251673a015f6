import { encodeMulaw } from "../audio/g711.ts";
import { sampleRate } from "../audio/write-wav.ts";
import type { After } from "../timers.ts";
import type { CallLeg } from "../transport.ts";
import type { RecordAction } from "../verbs/actions.ts";

/** A recording of what a callee says. */
export interface Recorder {
  /** Ends it; can be called more than once. */
  finish(): void;
  /** All of it as μ-law, once it has ended. */
  readonly samples: Promise<Buffer>;
}

interface Listening {
  leg: CallLeg;
  after: After;
  warn(error: unknown, message: string): void;
}

/** Starts a recording: the carrier's own if it can record, otherwise of the audio that it sends. */
export function startRecorder(stage: Listening, action: RecordAction): Recorder {
  const { leg } = stage;
  if (leg.record === undefined) return listen(stage, action.max_length);
  const abort = new AbortController();
  const samples = leg
    .record({ seconds: action.max_length, finish: action.finish_on_key }, abort.signal)
    .then(encodeMulaw, (error: unknown) => {
      stage.warn(error, "a carrier's recording couldn't be retrieved");
      return Buffer.alloc(0);
    });
  return { finish: () => abort.abort(), samples };
}

/** Records for at most this many seconds, as compact μ-law: a call may be recorded for minutes. */
function listen({ leg, after }: Listening, seconds: number): Recorder {
  const { promise: samples, resolve } = Promise.withResolvers<Buffer>();
  const most = seconds * sampleRate;
  const chunks: Buffer[] = [];
  let length = 0;
  let finish = () => {};
  const stopListening = leg.onAudio((pcm) => {
    const more = encodeMulaw(pcm).subarray(0, most - length);
    chunks.push(more);
    length += more.length;
    if (length >= most) finish();
  });
  const cancel = after(seconds * 1_000, () => finish());
  finish = () => {
    stopListening();
    cancel();
    resolve(Buffer.concat(chunks));
  };
  return { finish: () => finish(), samples };
}
