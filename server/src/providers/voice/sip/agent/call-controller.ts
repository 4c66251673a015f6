import type { CallEvents, OutboundCall } from "../call/outbound-call.ts";
import type { MediaSession } from "../media/leg/media-session.ts";
import { Playback } from "../media/leg/playback.ts";
import { guardSurroundings } from "../net/guard-surroundings.ts";
import type { Surroundings } from "../net/surroundings.ts";
import type { LineRequest } from "../trunk/line-request.ts";
import type { Command, Report } from "./messages.ts";
import { type AgentOptions, UserAgent } from "./user-agent.ts";

const openAgainMs = 5_000;
/** A stranger may be able to cause the same error again and again, so at most one is reported in this time. */
const errorPauseMs = 10_000;

interface CallState {
  call: OutboundCall | null;
  media: MediaSession | null;
  tasks: Map<number, { playback?: Playback; stop(): void }>;
}

/** Executes commands with a user agent and reports what happens. */
export class CallController {
  private readonly around: Surroundings;
  private readonly agent: UserAgent;
  private readonly report: (report: Report) => void;
  private readonly calls = new Map<number, CallState>();
  /** Calls that have a channel or wait for one, and aren't dialed yet. */
  private readonly requests = new Map<number, LineRequest>();
  private errorAt = Number.NEGATIVE_INFINITY;

  constructor(around: Surroundings, options: AgentOptions, report: (report: Report) => void) {
    this.around = guardSurroundings(around, (error) => this.reportError(error));
    this.report = report;
    this.agent = new UserAgent(this.around, options, (state) => report({ type: "trunk", state }));
  }

  private reportError(error: unknown): void {
    const now = this.around.now();
    if (now - this.errorAt < errorPauseMs) return;
    this.errorAt = now;
    this.report({ type: "error", message: error instanceof Error ? (error.stack ?? error.message) : String(error) });
  }

  /** Retries an address that another process still uses until it's free. */
  async open(): Promise<void> {
    try {
      await this.agent.open();
      this.report({ type: "open" });
    } catch (error) {
      this.report({ type: "fault", message: (error as Error).message });
      this.around.after(openAgainMs, () => void this.open());
    }
  }

  run(command: Command): void {
    if (command.do === "reserve") return this.reserve(command);
    if (command.do === "release") return this.release(command);
    if (command.do === "dial") return this.dial(command);
    if (command.do === "close") return void this.agent.close().then(() => this.report({ type: "closed" }));
    const state = this.calls.get(command.id);
    if (state === undefined) return;
    if (command.do === "hangUp") state.call?.hangUp(command.by);
    else if (command.do === "play") this.play(state, command);
    else if (command.do === "pcm") state.tasks.get(command.task)?.playback?.add(command.samples);
    else if (command.do === "pcmEnd") state.tasks.get(command.task)?.playback?.complete();
    else if (command.do === "stop") state.tasks.get(command.task)?.stop();
    else if (command.do === "digits") this.dialDigits(state, command);
    else this.setListening(state, command);
  }

  private reserve({ id, call }: Extract<Command, { do: "reserve" }>): void {
    const request = this.agent.reserve(call, (isGranted) => {
      if (!isGranted) this.requests.delete(id);
      this.report({ type: "reserved", id, isGranted, trunk: request.trunkName });
    });
    this.requests.set(id, request);
  }

  private release({ id }: Extract<Command, { do: "release" }>): void {
    this.requests.get(id)?.release();
    this.requests.delete(id);
  }

  private dial({ id, call }: Extract<Command, { do: "dial" }>): void {
    const line = this.requests.get(id)?.take() ?? null;
    this.requests.delete(id);
    const state: CallState = { call: null, media: null, tasks: new Map() };
    const at = () => this.around.now();
    this.calls.set(id, state);
    const events: CallEvents = {
      carriedBy: (trunk) => this.report({ type: "carriedBy", id, trunk }),
      ringing: () => this.report({ type: "ringing", id, at: at() }),
      answered: (media) => {
        state.media = media;
        this.report({ type: "answered", id, at: at() });
      },
      digit: (digit) => this.report({ type: "digit", id, digit, at: at() }),
      ended: (end) => {
        this.calls.delete(id);
        this.report({ type: "ended", id, end, at: at() });
      },
      recorded: (recording) => this.report({ type: "recorded", id, recording }),
    };
    state.call = this.agent.dial(call, events, line);
  }

  private done(state: CallState, { id, task }: { id: number; task: number }, result: "played" | "stopped"): void {
    if (state.tasks.delete(task)) this.report({ type: "done", id, task, result });
  }

  private play(state: CallState, { id, task }: Extract<Command, { do: "play" }>): void {
    const playback = new Playback({
      low: () => this.report({ type: "low", id, task }),
      done: (result) => this.done(state, { id, task }, result),
    });
    state.tasks.set(task, { playback, stop: () => playback.stop() });
    if (state.media === null) playback.stop();
    else state.media.play(playback);
  }

  private dialDigits(state: CallState, { id, task, digits }: Extract<Command, { do: "digits" }>): void {
    const cancel = { run: () => {} };
    state.tasks.set(task, { stop: () => cancel.run() });
    const done = () => this.done(state, { id, task }, "played");
    if (state.media === null) done();
    else cancel.run = state.media.dial(digits, done);
  }

  private setListening(state: CallState, { id, isOn }: Extract<Command, { do: "hear" }>): void {
    state.media?.onFrames(isOn ? (frame) => this.report({ type: "heard", id, frame }) : null);
  }
}
