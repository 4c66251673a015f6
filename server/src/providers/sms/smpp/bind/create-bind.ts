import { setTimeout as sleep } from "node:timers/promises";
import type { BindHold } from "#sms/index.ts";
import type { SmppBind } from "../settings/read-binds.ts";
import type { Outgoing, Pdu } from "../wire/pdu.ts";
import { retryWait, type SmppLimits } from "./limits.ts";
import { createPace } from "./pace.ts";
import { openSession, type Session } from "./session.ts";
import { createThrottle, type Throttle } from "./throttle.ts";

/** The carrier's response to one submit. */
export interface SubmitResponse {
  status: number;
  messageId: string | null;
}

/** The result of one submit. `held`: nothing was sent. `lost`: it was sent, but whether it was accepted is unknown. */
export type Submitted =
  | ({ kind: "answered" } & SubmitResponse)
  | { kind: "lost"; reason: string }
  | { kind: "held"; until: Date; reason: string };

/** Called as the bind's state changes. */
export interface BindReport {
  up(name: string): void;
  down(name: string, reason: string, retryMs: number): void;
  /** `status` is null if the response was lost. */
  submitted(name: string, status: number | null, seconds: number): void;
}

export interface BindOptions {
  bind: SmppBind;
  limits: SmppLimits;
  now: () => Date;
  ca?: string[] | undefined;
  hold?: BindHold | undefined;
  report: BindReport;
  onDeliver(pdu: Pdu): Promise<void>;
}

interface Submitting {
  signal: AbortSignal;
  /** Called with a response that arrived after it counted as lost. */
  onLate(response: SubmitResponse): void;
}

export interface Bind {
  readonly settings: SmppBind;
  readonly isUp: boolean;
  readonly inUse: number;
  /** Until when nothing is sent because the carrier asked for less; null if it isn't paused. */
  restsUntil(): Date | null;
  submit(fields: NonNullable<Outgoing["fields"]>, given: Submitting): Promise<Submitted>;
  /** Pauses sending, longer each time in a row; returns the pause in milliseconds. */
  rest(): number;
  /** The carrier accepted a message: resets the pauses. */
  succeed(): void;
  /** Closes a connection that the carrier no longer knows. */
  dropSession(reason: string): void;
  close(): Promise<void>;
}

interface State extends BindOptions {
  throttle: Throttle;
  session: Session | null;
  closing: AbortController;
}

/** Connects at once, and reconnects whenever the connection ends, until it's closed. */
export function createBind(options: BindOptions): Bind {
  const { bind, limits, now } = options;
  const throttle = createThrottle({ places: bind.window, pace: createPace(bind.tps), timeoutMs: limits.timeoutMs });
  const state: State = { ...options, throttle, session: null, closing: new AbortController() };
  const bound = keepBound(state);
  let rests = 0;
  let restsUntilMs = 0;
  const restsUntil = () => (now().getTime() < restsUntilMs ? new Date(restsUntilMs) : null);
  return {
    settings: bind,
    get isUp() {
      return state.session?.isOpen === true;
    },
    get inUse() {
      return throttle.inUse;
    },
    restsUntil,
    submit: (fields, given) => submit(state, { fields, ...given, restsUntil }),
    rest() {
      // Concurrent messages are refused together, which counts as one refusal.
      if (restsUntil() === null) {
        rests += 1;
        restsUntilMs = now().getTime() + retryWait(limits, rests);
      }
      return Math.max(0, restsUntilMs - now().getTime());
    },
    succeed() {
      if (restsUntil() === null) rests = 0;
    },
    dropSession: (reason) => state.session?.destroy(reason),
    async close() {
      state.closing.abort();
      throttle.close();
      await bound;
    },
  };
}

async function keepBound(state: State): Promise<void> {
  const { bind, limits, closing, report } = state;
  let failures = 0;
  while (!closing.signal.aborted) {
    const lease = state.hold === undefined ? null : await state.hold.take(bind.name, closing.signal);
    if (closing.signal.aborted) {
      await lease?.release();
      return;
    }
    const began = performance.now();
    const reason = await holdSession(state, lease?.lost);
    await lease?.release();
    if (closing.signal.aborted) return;
    // A connection that lasted a while was a good one, so its end is the first failure of a new series.
    failures = performance.now() - began > limits.longestRetryMs ? 1 : failures + 1;
    const retryMs = retryWait(limits, failures);
    report.down(bind.name, reason, retryMs);
    await sleep(retryMs, undefined, { signal: closing.signal }).catch(() => undefined);
  }
}

/** Resolves with the reason the connection ended or couldn't be opened. */
async function holdSession(state: State, lost: Promise<unknown> | undefined): Promise<string> {
  const { bind, limits, ca, onDeliver, closing, throttle, report } = state;
  try {
    const opening = openSession({ bind, limits, ca, onDeliver });
    const session = await orAborted(opening, closing.signal);
    if (session === null) {
      void opening.then((late) => late.destroy("closed by us")).catch(() => undefined);
      return "closed by us";
    }
    state.session = session;
    throttle.open();
    report.up(bind.name);
    await orAborted(lost === undefined ? session.ended : Promise.race([session.ended, lost]), closing.signal);
    throttle.shut();
    if (session.isOpen) await session.close();
    return await session.ended;
  } catch (error) {
    return (error as Error).message;
  } finally {
    state.session = null;
  }
}

interface Submission extends Submitting {
  fields: NonNullable<Outgoing["fields"]>;
  restsUntil(): Date | null;
}

async function submit(state: State, { fields, signal, onLate, restsUntil }: Submission): Promise<Submitted> {
  const { bind, throttle, report } = state;
  const soon = (reason: string): Submitted => ({
    kind: "held",
    until: new Date(state.now().getTime() + 1_000 + Math.random() * 2_000),
    reason,
  });
  if (state.session === null) return soon(`${bind.name} isn't bound`);
  if (!(await throttle.enter(signal))) return soon(`${bind.name} has no free slot`);
  const { session } = state;
  const until = restsUntil();
  if (session === null || !session.isOpen || until !== null || signal.aborted) {
    throttle.leave();
    return until === null ? soon(`${bind.name} isn't bound`) : { kind: "held", until, reason: `${bind.name} asked to slow down` };
  }
  const began = performance.now();
  const late = (answer: Pdu) => onLate({ status: answer.status, messageId: messageIdOf(answer) });
  // The slot stays occupied until the response arrives, even if no caller waits for it any more.
  const answered = session.submit(fields, late).then((answer) => {
    throttle.leave();
    report.submitted(bind.name, answer?.status ?? null, (performance.now() - began) / 1_000);
    if (answer !== null && signal.aborted) late(answer);
    return answer;
  });
  const answer = await orAborted(answered, signal);
  if (answer === null) return { kind: "lost", reason: `${bind.name} didn't respond` };
  return { kind: "answered", status: answer.status, messageId: messageIdOf(answer) };
}

function messageIdOf(answer: Pdu): string | null {
  const id = answer.text("message_id") ?? "";
  return id === "" ? null : id;
}

/** null: the signal fired first. */
async function orAborted<T>(given: Promise<T>, signal: AbortSignal): Promise<T | null> {
  const { promise: aborted, resolve } = Promise.withResolvers<null>();
  const end = () => resolve(null);
  if (signal.aborted) end();
  else signal.addEventListener("abort", end, { once: true });
  try {
    return await Promise.race([given, aborted]);
  } finally {
    signal.removeEventListener("abort", end);
  }
}
