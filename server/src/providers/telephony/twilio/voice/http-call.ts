import type { After, CallDial, CallEnd, CallHandlers, CarrierLine, CarrierLines, LineReport, OutgoingCall } from "#calls/index.ts";
import type { Ctx } from "#platform/index.ts";
import type { Answer } from "../account/answer.ts";
import { Absence } from "./absence.ts";
import { type AccountRoute, providerOf } from "./account-route.ts";
import { type Addresses, addressesOf } from "./addresses.ts";
import { formOf } from "./call-form.ts";
import { answeredByOf, classifyEnd, classifyRefusal, isMissing, missingEnd, placeOf, unknownEnd, unreportedEnd } from "./classify-call.ts";
import { HttpLeg } from "./http-leg.ts";
import { sidPattern } from "./voice-client.ts";

export interface CallParts {
  ctx: Pick<Ctx, "log" | "now" | "publicUrl">;
  /** The folder for notes about recordings at carriers. */
  recordings: string;
  lines: CarrierLines;
  after: After;
  call: OutgoingCall;
  handlers: CallHandlers;
  /** In the order in which they are tried. */
  routes: readonly AccountRoute[];
  /** Called with the result of asking an account to place the call. */
  onAnswer(account: string, answer: Answer): void;
}

type Facts = Readonly<Record<string, string>>;
type By = "caller" | "limit";

const never = new AbortController().signal;
/** How long a carrier may be silent about a call before we query it; how often to repeat a hang-up, and after how many times less often. */
const times = { silentMs: 20_000, hangUpMs: 3_000, hangUps: 20 };
/** When to look for a call that may have been placed after its response was lost; after the last time, no report is expected any more. */
const searchAtMs = [3_000, 10_000, 25_000, 45_000];
/** How far a carrier's clock may be behind. */
const skewMs = 60_000;
/** How much longer than the call can last its line is retained: it is over then, whatever its carrier says. */
const lineMs = 300_000;

/** One call at a carrier, from being placed to its end. */
export class HttpCall implements CallDial {
  private readonly parts: CallParts;
  private line: CarrierLine | null = null;
  private route: AccountRoute | null = null;
  private addresses: Addresses | null = null;
  private sid: string | null = null;
  private leg: HttpLeg | null = null;
  private answeredAt: Date | null = null;
  private wanted: By | null = null;
  private isHangingUp = false;
  private isOver = false;
  private readonly absence: Absence;
  private quiet: () => void = () => {};
  private stopLine: () => void = () => {};
  /** Resolves when the carrier's id of the call is known or the call has ended. */
  private readonly found = Promise.withResolvers<void>();

  constructor(parts: CallParts) {
    this.parts = parts;
    this.absence = new Absence(parts.after);
    const [first] = parts.routes;
    if (first !== undefined) this.takeLineOf(first);
  }

  /** Moves this call to a channel of the account. */
  private takeLineOf(route: AccountRoute): void {
    if (this.route === route) return;
    if (this.route !== null) this.route.calls -= 1;
    route.calls += 1;
    this.route = route;
    this.parts.handlers.carriedBy(providerOf(route));
  }

  /** Never rejects. */
  async place(): Promise<void> {
    try {
      await this.begin();
    } catch (err) {
      this.parts.ctx.log.error({ err, call: this.parts.call.call_id }, "a call went wrong while it was being placed");
      this.end(unknownEnd);
    }
  }

  private async begin(): Promise<void> {
    const { call, lines, ctx, after } = this.parts;
    const { project_id, livemode, call_id, ringMs, limitMs } = call;
    const lastsMs = ringMs + limitMs + lineMs;
    try {
      this.line = await lines.open({ project_id, livemode, call_id, lastsMs }, (report) => this.take(report));
    } catch (err) {
      ctx.log.error({ err, call: call.call_id }, "a call couldn't be placed: nothing can be recorded about it");
      return this.end({ ...unknownEnd, error: { code: "provider_error", message: "The call couldn't be prepared." } });
    }
    if (this.wanted !== null) return this.end({ ...unknownEnd, status: "canceled", hangup_by: this.wanted, error: null });
    this.stopLine = after(lastsMs, () => this.giveUp());
    const began = ctx.now();
    const answer = await this.ask(this.line);
    if (this.isOver) return;
    if (answer.kind === "done" && this.adopt(answer.body["sid"])) return this.takeStatus(String(answer.body["status"]), {});
    if (answer.kind === "done" || answer.kind === "unknown") return this.search(began);
    this.end(classifyRefusal(answer));
  }

  /** Tries one account after the other, as long as each certainly didn't place the call. */
  private async ask(line: CarrierLine): Promise<Answer> {
    const { call, ctx, routes, onAnswer } = this.parts;
    let answer: Answer = { kind: "held", reason: "no account is free" };
    for (const route of routes) {
      const addresses = addressesOf({ publicUrl: ctx.publicUrl, account: route.account.name, line: call, token: line.token });
      this.takeLineOf(route);
      this.addresses = addresses;
      answer = await route.client.post("/Calls.json", formOf(call, route.account, addresses), never);
      onAnswer(route.account.name, answer);
      if (answer.kind !== "held" && answer.kind !== "deferred") return answer;
      if (this.wanted !== null) return answer;
    }
    return answer;
  }

  /** Stores the carrier's id of the call, from its response or from a report. False if the id is invalid or differs from the known one. */
  private adopt(sid: unknown): boolean {
    if (typeof sid !== "string" || !sidPattern.test(sid)) return false;
    if (this.sid !== null) return this.sid === sid;
    this.sid = sid;
    this.found.resolve();
    this.listen();
    if (this.wanted !== null) void this.keepHangingUp();
    return true;
  }

  /**
   * The response was lost, so the call may have been placed. A request from the carrier to our addresses proves it; so does the carrier's
   * list if only one call matches. The call is never placed a second time.
   */
  private async search(began: Date): Promise<void> {
    let beforeMs = 0;
    for (const atMs of searchAtMs) {
      await Promise.race([this.wait(atMs - beforeMs), this.found.promise]);
      beforeMs = atMs;
      if (this.isOver || this.sid !== null) return;
      const sid = await this.lookUp(began);
      if (this.isOver || this.sid !== null) return;
      if (sid !== null && this.adopt(sid)) return this.pollStatus();
    }
    this.end(unknownEnd);
  }

  private async lookUp(began: Date): Promise<string | null> {
    const { route, line } = this;
    const { from, to } = this.parts.call;
    const answer = await route?.client.get(`/Calls.json?${new URLSearchParams({ To: to, From: from, PageSize: "20" })}`, never);
    if (answer?.kind !== "done" || !Array.isArray(answer.body["calls"])) return null;
    const since = new Date(began.getTime() - skewMs);
    const fits = (answer.body["calls"] as Partial<Record<string, unknown>>[]).filter(
      (one) => one?.["to"] === to && one["from"] === from && Date.parse(String(one["date_created"])) >= since.getTime(),
    );
    const sid = fits.length === 1 ? fits[0]?.["sid"] : null;
    const isAlone = typeof sid === "string" && (await line?.isAlone(since).catch(() => false)) === true;
    return isAlone ? sid : null;
  }

  private take({ topic, facts }: LineReport): void {
    const { ctx, call } = this.parts;
    if (this.isOver) return;
    if (!this.adopt(facts["CallSid"]))
      return ctx.log.warn({ call: call.call_id }, "a carrier reported a call under another ID; the report is ignored");
    this.absence.refute();
    this.listen();
    const [kind, what = ""] = topic.split(" ");
    if (kind === "status") return this.takeStatus(what, facts);
    this.answered(facts);
    this.leg?.take(Number(what), facts);
  }

  private takeStatus(status: string, facts: Facts): void {
    if (this.isOver) return;
    const place = placeOf(status);
    if (place === "ringing") this.parts.handlers.ringing(this.parts.ctx.now());
    // Who answered is known when the carrier asks for the first document.
    else if (place === "answered" && this.route?.account.detectsMachines === true) this.answeredAt ??= this.parts.ctx.now();
    else if (place === "answered") this.answered(facts);
    else if (place === "ended") this.finish(status, facts);
  }

  private answered(facts: Facts): void {
    const { call, handlers, ctx, after, recordings } = this.parts;
    const { line, route, addresses } = this;
    if (this.leg !== null || line === null || route === null || addresses === null) return;
    this.answeredAt ??= ctx.now();
    const { client, account } = route;
    const own = {
      sid: () => this.sid,
      now: ctx.now,
      after,
      hangUp: () => this.hangUp("caller"),
      answeredBy: answeredByOf(facts["AnsweredBy"]),
    };
    this.leg = new HttpLeg({ call, handlers, line, addresses, client, account, provider: providerOf(route), recordings, ...own });
    handlers.answered(this.answeredAt, this.leg);
  }

  private finish(status: string, facts: Facts): void {
    const { ctx, call } = this.parts;
    const now = ctx.now();
    const lastedMs = /^\d{1,7}$/.test(facts["CallDuration"] ?? "") ? Number(facts["CallDuration"]) * 1_000 : null;
    // The carrier didn't report the answer.
    if (status === "completed" && this.leg === null) {
      this.answeredAt ??= new Date(now.getTime() - (lastedMs ?? 0));
      this.answered(facts);
    }
    const { answeredAt } = this;
    const at = answeredAt === null || lastedMs === null ? now : new Date(Math.min(now.getTime(), answeredAt.getTime() + lastedMs));
    const sip = facts["SipResponseCode"] ?? "";
    const sipCode = /^[1-6]\d\d$/.test(sip) ? Number(sip) : null;
    const isAtLimit = (lastedMs ?? 0) >= call.limitMs;
    this.end(classifyEnd({ status, sipCode, isAnswered: this.leg !== null, wanted: this.wanted, isAtLimit }), at);
  }

  /** Its carrier, which was to end it long ago, neither reported nor confirmed that. */
  private giveUp(): void {
    const { ctx, call } = this.parts;
    ctx.log.warn({ call: call.call_id, sid: this.sid }, "a carrier didn't report how a call ended; its channel is free again");
    this.end(unreportedEnd);
  }

  private end(end: CallEnd, at: Date = this.parts.ctx.now()): void {
    if (this.isOver) return;
    const { ctx, call, handlers } = this.parts;
    this.isOver = true;
    this.quiet();
    this.stopLine();
    this.absence.refute();
    this.found.resolve();
    if (this.route !== null) this.route.calls -= 1;
    this.leg?.ended();
    const closing = this.line?.close();
    closing?.catch((err: unknown) => ctx.log.warn({ err, call: call.call_id }, "the rest of a call's line is removed later"));
    handlers.ended(end, at);
  }

  /** Waits for reports; queries the carrier if none arrive. */
  private listen(): void {
    this.quiet();
    if (!this.isOver) this.quiet = this.parts.after(times.silentMs, () => void this.pollStatus());
  }

  private async pollStatus(): Promise<void> {
    if (this.isOver || this.sid === null) return;
    const answer = await this.route?.client.get(`/Calls/${this.sid}.json`, never);
    if (this.isOver) return;
    this.listen();
    if (answer?.kind === "done") return this.takeBody(answer.body);
    if (answer === undefined || !isMissing(answer)) return this.absence.refute();
    if (this.absence.confirm() && this.wanted !== null) this.end(missingEnd);
  }

  private takeBody({ status, duration, answered_by }: Readonly<Record<string, unknown>>): void {
    const facts = {
      ...(duration == null ? {} : { CallDuration: String(duration) }),
      ...(answered_by == null ? {} : { AnsweredBy: String(answered_by) }),
    };
    this.absence.refute();
    this.takeStatus(String(status), facts);
  }

  hangUp(by: By): void {
    this.wanted ??= by;
    if (this.sid !== null) void this.keepHangingUp();
  }

  /**
   * Repeats until the call has ended or the carrier has no such call, because the callee stays on a line that is paid for. An unanswered
   * call is canceled first: one that is answered in the meantime remains, and is completed then.
   */
  private async keepHangingUp(): Promise<void> {
    if (this.isHangingUp) return;
    this.isHangingUp = true;
    for (let time = 0; !this.isOver; time += 1) {
      const Status = this.answeredAt === null && time === 0 ? "canceled" : "completed";
      const answer = await this.route?.client.post(`/Calls/${this.sid}.json`, { Status }, never);
      if (answer?.kind === "done") this.takeBody(answer.body);
      else await this.pollStatus();
      if (Status === "completed" && !this.isOver) await this.wait(time < times.hangUps ? times.hangUpMs : times.silentMs);
    }
  }

  private wait(ms: number): Promise<void> {
    return new Promise((resolve) => void this.parts.after(ms, resolve));
  }
}
