import { type CallInput, type CallRow, createCall, findCall } from "#calls/index.ts";
import { type Caller, createCaller } from "#calls/running/create-caller.ts";
import type { CallOutcome } from "#calls/running/outcome.ts";
import { createSimulator, silentSpeech } from "#calls/simulator/create-simulator.ts";
import type { CallDial, CallEnd, CallHandlers, CallLeg, CallTransport, OutgoingCall } from "#calls/transport.ts";
import { listEventsOf } from "#events/sql.ts";
import { type Ctx, findNow, type Tenant } from "#platform/index.ts";
import type { TestApp } from "#test/support/app/test-app.ts";
import { runStatement } from "#test/support/database/statement.sql.ts";
import { turns } from "#test/support/time/eventually.ts";
import { type VirtualTime, virtualTime } from "#test/support/time/virtual-time.ts";

/** A call that may be placed, with the fields that a test specifies. */
export function callOf(given: Partial<CallInput> = {}): CallInput {
  const usual = { from: "+15005550006", to: "+15005559999" };
  const says = ["text", "audio_url", "actions", "answer_url"].some((name) => name in given);
  return { ...usual, ...(says ? {} : { text: "Hello." }), ...given };
}

/** A transport whose calls a test answers and ends manually. */
export interface HandTransport extends CallTransport {
  isOpen: boolean;
  dialed: { call: OutgoingCall; handlers: CallHandlers; hungUp: ("caller" | "limit")[] }[];
  /** Whether hanging up ends a call, as it does in reality. */
  obeys: boolean;
}

/** A leg on which every sound lasts until it is stopped. */
export const heldLeg: CallLeg = {
  play: (_pcm, signal) => new Promise((resolve) => signal.addEventListener("abort", () => resolve("stopped"))),
  sendDigits: async () => {},
  onAudio: () => () => {},
  recording: async () => null,
  hangUp: () => {},
};

export const completed: CallEnd = { status: "completed", sip_code: 200, reason: null, hangup_by: "callee", error: null };

/** The outcome of a call that ended this way at a time; it was never answered unless `more` says when. */
export function outcomeOfCall(end: CallEnd, at: Date, more: Partial<CallOutcome> = {}): CallOutcome {
  const nothing = { ringingAt: null, answeredAt: null, answeredBy: null, digits: "", gathered: {}, steps: [], fault: null, stopped: false };
  return { provider: "hand", ...nothing, end, at, ...more };
}

export function handTransport(ctx: Pick<Ctx, "now">, channels = 100): HandTransport {
  const transport: HandTransport = {
    name: "hand",
    channels,
    isOpen: true,
    dialed: [],
    obeys: true,
    takes: () => true,
    dial(call, handlers): CallDial {
      const one = { call, handlers, hungUp: [] as ("caller" | "limit")[] };
      let isOver = false;
      const end = handlers.ended;
      one.handlers = {
        ...handlers,
        ended(last, at) {
          isOver = true;
          end(last, at);
        },
      };
      transport.dialed.push(one);
      return {
        hangUp(by) {
          one.hungUp.push(by);
          if (transport.obeys && !isOver)
            queueMicrotask(() => one.handlers.ended({ ...completed, status: "canceled", sip_code: 487, hangup_by: by }, ctx.now()));
        },
      };
    },
    close: async () => {},
  };
  return transport;
}

const stuckRounds = 100;

type CallerOptions = Parameters<typeof createCaller>[0];

/** All work of calls over one database, step by step. */
export interface CallRoom {
  ctx: Ctx;
  time: VirtualTime;
  /** Another process. */
  process(options?: Partial<CallerOptions>): Caller;
  place(tenant: Tenant, given?: Partial<CallInput>): Promise<CallRow>;
  /** Waits until nothing is in progress except work that waits for its time. */
  quiet(): Promise<void>;
  /** Lets time pass until no call is in progress. */
  settle(caller?: Caller): Promise<void>;
  find(call: CallRow): Promise<CallRow>;
  /** Names of a call's events, oldest first, without `call.`. */
  eventsOf(call: CallRow): Promise<string[]>;
  /** The data of a call's events, oldest first. */
  data(call: CallRow): Promise<Record<string, unknown>[]>;
}

export function callRoom(app: TestApp): CallRoom {
  const time = virtualTime(app.clock);
  const { ctx, isBusy } = counted(app.ctx);
  const process = (options: Partial<CallerOptions> = {}) =>
    createCaller({
      routes: { test: { transport: createSimulator(ctx, time.after), speech: silentSpeech } },
      after: time.after,
      drainMs: 0,
      ...options,
    });
  const own = process();
  const events = async ({ project_id, livemode, id }: CallRow) =>
    (await listEventsOf(ctx.db, { project_id, livemode }, { object_id: id, after: null, limit: 1_000 })).reverse();
  const quiet = async () => {
    for (let looks = 0; looks < 3; ) {
      await turns(4);
      await findNow(app.ctx.db);
      looks = isBusy() ? 0 : looks + 1;
    }
  };
  return {
    ctx,
    time,
    process,
    quiet,
    place: (tenant, given) => createCall(ctx, tenant, { tier: "pro", call: callOf(given) }),
    async settle(caller = own) {
      const isHeld = async () => (await runStatement(app.ctx.db, "select from calls where state = 'leased' limit 1")).length > 0;
      for (let [idle, stuck] = [0, 0]; idle < 2; ) {
        await caller.run(ctx);
        await quiet();
        time.step();
        await quiet();
        // Its end waits for the next round, which records it.
        const waits = time.isIdle() && (await isHeld());
        [idle, stuck] = [time.isIdle() && !waits ? idle + 1 : 0, waits ? stuck + 1 : 0];
        if (stuck > stuckRounds) throw new Error("a call is held, and nothing is under way that could end it");
      }
    },
    find: (call) => findCall(ctx, call, call.id),
    eventsOf: async (call) => (await events(call)).map((row) => row.event.replace("call.", "")),
    data: async (call) => (await events(call)).map((row) => (JSON.parse(row.body.toString()) as { data: Record<string, unknown> }).data),
  };
}

/** A context that knows whether any of its work is in progress. */
function counted(ctx: Ctx): { ctx: Ctx; isBusy(): boolean } {
  let open = 0;
  const count = <T>(work: Promise<T>): Promise<T> => {
    open += 1;
    return work.finally(() => void (open -= 1));
  };
  return {
    isBusy: () => open > 0,
    ctx: {
      ...ctx,
      db: countedMembers(ctx.db, count),
      transact: (work) => count(ctx.transact(work)),
      egress: { ...ctx.egress, request: (given) => count(ctx.egress.request(given)) },
      files: { ...ctx.files, put: (key, bytes) => count(ctx.files.put(key, bytes)) },
    },
  };
}

/** A database handle that counts every statement in progress: a slow read must not look like idleness. */
function countedMembers<T extends object>(handle: T, count: <R>(work: Promise<R>) => Promise<R>): T {
  return new Proxy(handle, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name);
      return (typeof member === "object" && member !== null) || typeof member === "function" ? countedMembers(member, count) : member;
    },
    apply(target, self, given) {
      const made: unknown = Reflect.apply(target as unknown as (...given: unknown[]) => unknown, self, given);
      if (made instanceof Promise) return count(made);
      if (typeof made !== "object" || made === null || !("then" in made)) return made;
      // A statement is sent once it is awaited; until then it may become a part of another one.
      const statement = made as PromiseLike<unknown>;
      const then = statement.then.bind(statement);
      // biome-ignore lint/suspicious/noThenProperty: a statement is awaited, and sent by that.
      return Object.assign(statement, { then: (...given: Parameters<typeof then>) => count(Promise.resolve(then(...given))) });
    },
  });
}
