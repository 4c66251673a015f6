import type { Ctx } from "#platform/index.ts";
import { fetchSound } from "../audio/fetch-sound.ts";
import { shareSound } from "../audio/share-sound.ts";
import { keepRecording } from "../recording/keep-recording.ts";
import type { Speech } from "../speech.ts";
import type { After } from "../timers.ts";
import type { CallDial, CallEnd, CallHandlers, CallLeg, CallLine, OutgoingCall } from "../transport.ts";
import type { ClaimedCall } from "./claim-calls.ts";
import { type Conductor, conduct } from "./conduct.ts";
import { noteStep } from "./note-step.ts";
import type { CallOutcome } from "./outcome.ts";
import { requestActions } from "./request-actions.ts";
import { scriptOf } from "./script-of.ts";
import { type News, openNews } from "./write-news.ts";

/** A call's line, with what else it needs. */
interface CallGround {
  line: CallLine;
  speech: Speech;
  after: After;
}

/** A call that this process runs. */
export interface HeldCall {
  hangUp(): void;
  /** Hangs up because this process must release it; from then on, its end doesn't wait for recordings. */
  stop(): void;
  /** Resolves when it has ended and everything except its end is stored, or recordings take too long. */
  readonly over: Promise<CallOutcome>;
  /** Resolves after that, when each is stored, noted for later or lost, and its carrier was asked to delete what verbs recorded. */
  readonly saved: Promise<void>;
}

/** If a call exceeds its transport's time limit, it is ended from here, because one that doesn't end would occupy its line indefinitely. */
const guardMs = { beyond: 60_000, hangUp: 40_000 };
const digitsMax = 256;
/**
 * How long an end waits for recordings, so that they are usually there when the end is reported. If the process were lost in the meantime,
 * how the call ended would be unknown.
 */
const savingMs = 15_000;

interface Holding {
  ctx: Ctx;
  ground: CallGround;
  claimed: ClaimedCall;
  news: News;
  outcome: CallOutcome;
  leg: CallLeg | null;
  conductor: Conductor | null;
  questions: number;
  /** What a verb recorded couldn't be stored. */
  isUnsaved: boolean;
  /** Set once this process must release it. */
  isReleased: boolean;
  hangUp(by: "caller" | "limit"): void;
  guard: Guard;
}

/** Places a call and runs its script once it is answered. */
export function holdCall(ctx: Ctx, ground: CallGround, claimed: ClaimedCall): HeldCall {
  const { promise: ended, resolve } = Promise.withResolvers<{ end: CallEnd; at: Date }>();
  const outcome: CallOutcome = { ...nothingYet, end: lost, at: ctx.now(), provider: ground.line.name, gathered: {}, steps: [] };
  let dial: CallDial | null = null;
  let wanted: "caller" | "limit" | null = null;
  const holding: Holding = {
    ctx,
    ground,
    claimed,
    news: openNews(ctx, claimed),
    outcome,
    leg: null,
    conductor: null,
    questions: 0,
    isUnsaved: false,
    isReleased: false,
    hangUp,
    guard: startGuard({ ground, claimed, hangUp }, () => resolve({ end: lost, at: ctx.now() })),
  };
  function hangUp(by: "caller" | "limit"): void {
    wanted ??= by;
    dial?.hangUp(by);
  }
  dial = ground.line.dial(
    outgoingOf(claimed),
    handlersOf(holding, (end, at) => resolve({ end, at })),
  );
  if (wanted !== null) dial.hangUp(wanted);
  return { hangUp: () => hangUp("caller"), ...awaitEnd(holding, ended) };
}

function awaitEnd(holding: Holding, ended: Promise<{ end: CallEnd; at: Date }>): Pick<HeldCall, "stop" | "over" | "saved"> {
  let isOver = false;
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const saving = ended.then((last) => {
    isOver = true;
    holding.guard.stop();
    const spoken = holding.conductor?.end() ?? Promise.resolve();
    return { last, spoken, whole: saveWhole(holding), deleted: spoken.then(() => deleteSpoken(holding)) };
  });
  return {
    stop() {
      // A call that has ended wasn't ended by this.
      if (!isOver) holding.outcome.stopped = true;
      holding.isReleased = true;
      release();
      holding.hangUp("caller");
    },
    over: saving.then((one) => conclude(holding, { ...one, released })),
    saved: saving.then(async ({ whole, deleted }) => void (await Promise.all([whole, deleted]))),
  };
}

const lost: CallEnd = {
  status: "failed",
  sip_code: null,
  reason: null,
  hangup_by: "transport",
  error: { code: "provider_error", message: "The transport didn't report how the call ended." },
};
const nothingYet = { ringingAt: null, answeredAt: null, answeredBy: null, digits: "", fault: null, stopped: false };

/** The call as a transport places it. */
export function outgoingOf({ call }: ClaimedCall): OutgoingCall {
  const { project_id, livemode, id, from_number, to_number, country, ring_s, limit_s, record } = call;
  const dialed = {
    from: from_number,
    to: to_number,
    country,
    ringMs: ring_s * 1_000,
    limitMs: limit_s * 1_000,
    record: record ?? (false as const),
  };
  return { project_id, livemode, call_id: id, ...dialed };
}

function handlersOf(holding: Holding, ended: CallHandlers["ended"]): CallHandlers {
  const { ctx, news, outcome } = holding;
  return {
    carriedBy(provider) {
      if (provider === outcome.provider) return;
      outcome.provider = provider;
      // Stored at once, because a process that is lost reports no end.
      news.write(ctx.now(), () => ({ to: { provider } }));
    },
    ringing(at) {
      if (outcome.ringingAt !== null || outcome.answeredAt !== null) return;
      outcome.ringingAt = at;
      news.write(at, ({ status }) => (status === "initiated" ? { to: { status: "ringing" } } : null));
    },
    answered(at, leg) {
      if (outcome.answeredAt !== null) return;
      holding.guard.answered();
      outcome.answeredAt = at;
      outcome.answeredBy = leg.answeredBy ?? "unknown";
      news.write(at, ({ status }) =>
        status === "initiated" || status === "ringing"
          ? { to: { status: "in_progress", answered_at: at, answered_by: outcome.answeredBy } }
          : null,
      );
      holding.leg = leg;
      holding.conductor = begin(holding, leg);
    },
    digit(digit) {
      if (!/^[0-9*#]$/.test(digit)) return;
      // A callee may type the code that a secret text just said.
      if (outcome.digits.length < digitsMax && holding.claimed.call.sealed_said === null) outcome.digits += digit;
      holding.conductor?.press(digit);
    },
    ended,
  };
}

function begin(holding: Holding, leg: CallLeg): Conductor {
  const { ctx, ground, claimed, news, outcome } = holding;
  const { call } = claimed;
  const conductor = conduct({
    script: scriptOf(ctx, call),
    leg,
    speech: ground.speech,
    after: ground.after,
    usual: { voice: call.voice, language: call.language, speed: call.speed },
    sound: async (url) => shareSound(await fetchSound(ctx, call, url)),
    ask(question) {
      holding.questions += 1;
      const now = {
        ...call,
        status: "in_progress" as const,
        answered_at: outcome.answeredAt,
        gathered: outcome.gathered,
        digits: outcome.digits,
      };
      return requestActions(ctx, { call: now, question, number: holding.questions });
    },
    gathered(gather) {
      outcome.gathered[gather.name] = gather.digits;
      const change = { gathered: { ...outcome.gathered }, digits: outcome.digits };
      news.write(ctx.now(), () => ({ to: change, emit: { event: "gathered", gathered: gather } }));
    },
    did: noteStep(outcome.steps, ctx.now),
    keep: (samples) => keepRecording(ctx, call, { source: "verb", samples }).catch((error: unknown) => unsaved(holding, error)),
    warn: (err, message) => ctx.log.warn({ err, call: call.id }, message),
  });
  void conductor.over.then((fault) => {
    outcome.fault = fault;
    holding.hangUp("caller");
  });
  return conductor;
}

function unsaved(holding: Holding, err: unknown): null {
  const { ctx, claimed } = holding;
  holding.isUnsaved = true;
  ctx.log.error({ err, call: claimed.call.id }, "a recording couldn't be stored");
  return null;
}

interface Guard {
  /** From here on, only the time limit counts: a call may ring on several trunks before. */
  answered(): void;
  stop(): void;
}

/** Ends a call that its transport doesn't end. */
function startGuard({ claimed, ground, hangUp }: Pick<Holding, "claimed" | "ground" | "hangUp">, abort: () => void): Guard {
  const { ring_s, limit_s } = claimed.call;
  let cancel = () => {};
  let isEnding = false;
  const end = () => {
    isEnding = true;
    hangUp("limit");
    cancel = ground.after(guardMs.hangUp, abort);
  };
  const endAfter = (seconds: number) => {
    cancel();
    cancel = ground.after(seconds * 1_000 + guardMs.beyond, end);
  };
  endAfter(ring_s + limit_s);
  return { answered: () => void (isEnding || endAfter(limit_s)), stop: () => cancel() };
}

interface Concluding {
  last: { end: CallEnd; at: Date };
  /** Resolve when these recordings are stored. */
  spoken: Promise<void>;
  whole: Promise<void>;
  /** Resolves if this process must release the call. */
  released: Promise<void>;
}

async function conclude(holding: Holding, { last, spoken, whole, released }: Concluding): Promise<CallOutcome> {
  const { ground, news, outcome, conductor } = holding;
  const { promise: late, resolve } = Promise.withResolvers<void>();
  const cancel = ground.after(savingMs, resolve);
  // What verbs recorded is only in memory, so the call occupies its line until that is stored: otherwise it would pile up here.
  const stored = Promise.race([late, Promise.all([spoken, whole])]).then(() => conductor?.stored());
  await Promise.race([released, stored]);
  cancel();
  await news.idle();
  return { ...outcome, ...last };
}

/** Never rejects. */
async function deleteSpoken({ ctx, claimed, leg, isUnsaved }: Holding): Promise<void> {
  if (isUnsaved) return;
  await leg
    ?.deleteRecordings?.()
    .catch((err: unknown) =>
      ctx.log.error({ err, call: claimed.call.id }, "a carrier's copies of a call's recordings couldn't be deleted"),
    );
}

/** Never rejects. */
async function saveWhole(holding: Holding): Promise<void> {
  const { ctx, claimed, leg } = holding;
  if (claimed.call.record === null || leg === null) return;
  try {
    const whole = await leg.recording();
    if (whole !== null) await keepRecording(ctx, claimed.call, { source: "call", isLater: holding.isReleased, ...whole });
  } catch (err) {
    ctx.log.error({ err, call: claimed.call.id }, "a call's recording isn't stored yet");
  }
}
