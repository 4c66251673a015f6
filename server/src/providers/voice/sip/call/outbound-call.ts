import type { CallEnd, OutgoingCall } from "#calls/index.ts";
import type { Dialog } from "../dialog/dialog.ts";
import { MediaSession } from "../media/leg/media-session.ts";
import { openPorts } from "../media/leg/rtp-ports.ts";
import type { Recording, WavRecorder } from "../media/record/wav-recorder.ts";
import type { Ticker } from "../media/rtp/ticker.ts";
import type { Hop } from "../net/signalling.ts";
import type { Surroundings } from "../net/surroundings.ts";
import type { Transactions } from "../transaction/transactions.ts";
import type { Trunk } from "../trunk/trunk.ts";
import type { SipResponse } from "../wire/message.ts";
import { type AudioOffer, readDescription } from "../wire/session-description.ts";
import { abandoned, completed, failed } from "./call-ends.ts";
import { classifyAnswer, mayTryElsewhere } from "./classify-answer.ts";
import { Invite } from "./invite.ts";
import { Session } from "./session.ts";

export interface CallDeps {
  around: Surroundings;
  transactions: Transactions;
  ticker: Ticker;
  trunks: readonly Trunk[];
  /** The one with a channel reserved for this call; null if none is. */
  line: Trunk | null;
  rtp: { address: string; range: readonly [low: number, high: number] };
  /** Where the call's recording is written. */
  recordingPath(callId: string): string;
  /** Requests inside a dialog go to its session until it's closed. */
  sessions: Map<string, Session>;
}

export type DialledCall = Pick<OutgoingCall, "call_id" | "from" | "to" | "country" | "ringMs" | "limitMs" | "record">;

export interface CallEvents {
  /** Called with the name of each trunk that gets the call, in order. */
  carriedBy(trunk: string): void;
  ringing(): void;
  answered(media: MediaSession): void;
  digit(digit: string): void;
  /** Called once, and last except for `recorded`. */
  ended(end: CallEnd): void;
  /** Called once for an answered call, after `ended`. */
  recorded(recording: Recording | null): void;
}

/** How long a trunk may be silent if there is another to try. */
const timeoutMs = 8_000;
/** How long a call that one trunk refused may wait for its turn on the next. */
const turnMs = 10_000;
/** How long to wait for the response to a CANCEL. */
const cancelMs = 5_000;

interface Attempt {
  trunk: Trunk;
  invite: Invite;
  media: MediaSession;
  own: { address: string; port: number };
}

/** One call over the trunks that may carry it, in order, until one has an outcome. */
export class OutboundCall {
  private readonly deps: CallDeps;
  private readonly call: DialledCall;
  private readonly events: CallEvents;
  private readonly waiting: Trunk[];
  private hops: Hop[] = [];
  private trunk: Trunk | null = null;
  private attempt: Attempt | null = null;
  private session: Session | null = null;
  private recorder: WavRecorder | null = null;
  private early: AudioOffer | null = null;
  private hasRung = false;
  private isOver = false;
  private abandoned: { by: "caller" | "limit" | null } | null = null;
  private last: CallEnd | null = null;
  private readonly stops = new Set<() => void>();
  private stopRing = () => {};

  constructor(deps: CallDeps, call: DialledCall, events: CallEvents) {
    this.deps = deps;
    this.call = call;
    this.events = events;
    this.waiting = deps.trunks.filter((trunk) => trunk !== deps.line && trunk.takes(call));
    this.trunk = deps.line;
  }

  start(): void {
    if (this.waiting.length === 0 && this.trunk === null)
      return this.finish(failed("no_route", "No trunk is set up for calls to this number."));
    if (!/^\+[1-9]\d{3,14}$/.test(this.call.to) || !/^\+?\d{2,15}$/.test(this.call.from)) {
      return this.finish(failed("invalid_number", "The number isn't an E.164 number."));
    }
    void (this.trunk === null ? this.nextTrunk() : this.useTrunk(this.trunk));
  }

  private after(ms: number, callback: () => void): () => void {
    const stop = this.deps.around.after(ms, () => {
      this.stops.delete(stop);
      callback();
    });
    this.stops.add(stop);
    return stop;
  }

  // ——— trunks, one after the other ———

  private async nextTrunk(): Promise<void> {
    this.trunk?.release();
    this.trunk = null;
    if (this.abandoned !== null) return this.finish(this.abandonedEnd(null));
    const trunk = this.waiting.shift();
    if (trunk === undefined) return this.finish(this.last ?? failed("trunk_unreachable", "No trunk can take calls right now."));
    if (trunk.unready !== null) await trunk.unready;
    if (this.isOver) return;
    if (trunk.fault !== null) {
      this.last ??= failed("trunk_unreachable", `The trunk ${trunk.config.name} can't take calls right now.`);
      return this.nextTrunk();
    }
    const reserved = trunk.reserve(turnMs);
    if (reserved === null) {
      this.last ??= failed("channels_busy", `The trunk ${trunk.config.name} has no free channel.`);
      return this.nextTrunk();
    }
    this.trunk = trunk;
    if (reserved.delayMs > 0) await new Promise<void>((resolve) => this.after(reserved.delayMs, resolve));
    return this.useTrunk(trunk);
  }

  /** Tries the addresses of a trunk that this call has a channel of. */
  private async useTrunk(trunk: Trunk): Promise<void> {
    this.hops = [...(await trunk.hops())];
    if (this.isOver) return;
    this.events.carriedBy(trunk.config.name);
    if (this.hops.length === 0) this.last = failed("trunk_unreachable", `The host of the trunk ${trunk.config.name} can't be resolved.`);
    await this.nextHop(trunk);
  }

  private async nextHop(trunk: Trunk): Promise<void> {
    const hop = this.hops.shift();
    this.attempt = null;
    if (hop === undefined || this.abandoned !== null) return this.nextTrunk();
    const opened = await this.open(trunk, hop);
    if (opened === null) return this.isOver ? undefined : this.nextHop(trunk);
    if (this.isOver) return opened.media.close();
    const { own, media } = opened;
    const to = { trunk, hop, own, from: this.call.from, to: this.call.to, offer: media.describe() };
    const invite: Invite = new Invite(this.deps, to, {
      early: (response) => this.ring(trunk, response),
      answered: (dialog, response) => this.answered(dialog, response),
      refused: (response) => this.refused(trunk, response),
      failed: (cause) => this.lost(trunk, cause),
    });
    this.attempt = { trunk, invite, media, own };
    invite.start();
    this.stopRing = this.after(this.call.ringMs, () => this.ringOut(invite));
    if (this.hops.length > 0 || this.waiting.some((one) => one.fault === null)) this.after(timeoutMs, () => this.moveOn(invite));
  }

  /** Returns our address for that hop and a pair of ports there; null, with `last` set, if there are none. */
  private async open(trunk: Trunk, hop: Hop): Promise<{ own: Attempt["own"]; media: MediaSession } | null> {
    const { around, ticker, rtp, transactions } = this.deps;
    try {
      const own = await transactions.signalling.ownPlace(hop);
      const ports = await openPorts(around, rtp);
      const media: MediaSession = new MediaSession(
        { around, ticker, ports, address: own.address, srtp: trunk.config.srtp },
        { digit: (digit) => (this.isOver ? undefined : this.events.digit(digit)), lost: (reason) => this.silent(reason) },
      );
      return { own, media };
    } catch {
      this.last = failed("trunk_unreachable", "This machine can't reach the trunk, or has no free RTP port.");
      return null;
    }
  }

  /** The trunk is silent, and another may take the call if there is one. */
  private moveOn(invite: Invite): void {
    const { attempt } = this;
    if (attempt?.invite !== invite || invite.hasResponse || this.abandoned !== null) return;
    invite.abandon();
    this.lost(attempt.trunk, "timeout");
  }

  // ——— results of an attempt ———

  private ring(trunk: Trunk, response: SipResponse): void {
    trunk.note(response);
    this.early = readDescription(response.body) ?? this.early;
    if (this.hasRung || this.isOver) return;
    this.hasRung = true;
    this.events.ringing();
  }

  private refused(trunk: Trunk, response: SipResponse): void {
    trunk.note(response);
    if (this.abandoned !== null) return this.finish(this.abandonedEnd(response));
    this.last = classifyAnswer(response);
    if (this.hasRung || !mayTryElsewhere(response.status)) return this.finish(this.last);
    this.leave();
    // Another address of the trunk would respond the same, unless this one is overloaded or broken.
    if (response.status < 500) this.hops = [];
    void this.nextHop(trunk);
  }

  private lost(trunk: Trunk, cause: "timeout" | "unreachable"): void {
    if (this.isOver) return;
    if (this.hops.length === 0) trunk.note(cause);
    if (this.abandoned !== null) return this.finish(this.abandonedEnd(null));
    const what = cause === "timeout" ? "doesn't respond" : "can't be reached";
    this.last = failed("trunk_unreachable", `The trunk ${trunk.config.name} ${what}.`);
    if (this.hasRung) return this.finish(this.last);
    this.leave();
    void this.nextHop(trunk);
  }

  private leave(): void {
    this.stopRing();
    this.attempt?.media.close();
    this.attempt = null;
  }

  private answered(dialog: Dialog, response: SipResponse): void {
    const { attempt } = this;
    if (attempt === null) return;
    const { trunk, media, own } = attempt;
    trunk.note(response);
    const { sessions, around, transactions } = this.deps;
    const session: Session = new Session(
      { around, transactions, credentials: trunk.credentials, media, own },
      { dialog, response },
      { ended: (by, reason) => this.finish(completed(by, reason)), closed: () => void sessions.delete(dialog.callId) },
    );
    sessions.set(dialog.callId, session);
    this.session = session;
    const answer = readDescription(response.body) ?? this.early;
    if (answer === null || !media.accept(answer)) {
      session.bye('SIP;cause=488;text="Not Acceptable Here"');
      return this.finish({ ...failed("media_rejected", "The trunk's response has no supported codec."), sip_code: response.status });
    }
    this.begin(media);
  }

  private begin(media: MediaSession): void {
    for (const stop of this.stops) stop();
    this.stops.clear();
    const { record, call_id, limitMs } = this.call;
    if (record !== false) this.recorder = media.record(this.deps.recordingPath(call_id), record === "dual" ? 2 : 1);
    this.after(limitMs, () => this.hangUp("limit"));
    this.events.answered(media);
  }

  private silent(reason: string): void {
    if (this.isOver || this.session === null) return;
    this.session.bye('SIP;cause=408;text="No RTP"');
    this.finish(completed("transport", reason));
  }

  // ——— its end ———

  hangUp(by: "caller" | "limit"): void {
    if (this.isOver || this.abandoned !== null) return;
    if (this.session !== null) {
      this.session.bye('Q.850;cause=16;text="Normal call clearing"');
      return this.finish(completed(by, null));
    }
    this.abandon(by, 'SIP;cause=487;text="Canceled"');
  }

  private ringOut(invite: Invite): void {
    if (this.isOver || this.session !== null || this.abandoned !== null) return;
    if (invite.hasResponse) return this.abandon(null, 'SIP;cause=480;text="No answer"');
    // Nothing reported ringing, so it isn't a callee who doesn't answer.
    this.moveOn(invite);
  }

  private abandon(by: "caller" | "limit" | null, reason: string): void {
    this.abandoned = { by };
    if (this.attempt === null) return this.finish(this.abandonedEnd(null));
    this.attempt.invite.cancel(reason);
    this.after(cancelMs, () => this.finish(this.abandonedEnd(null)));
  }

  private abandonedEnd(response: SipResponse | null): CallEnd {
    return abandoned(this.abandoned?.by ?? null, response);
  }

  private finish(end: CallEnd): void {
    if (this.isOver) return;
    this.isOver = true;
    for (const stop of this.stops) stop();
    this.stops.clear();
    this.leave();
    this.trunk?.release();
    this.trunk = null;
    this.events.ended(end);
    if (this.session === null) return;
    const recorded = this.recorder?.finish() ?? Promise.resolve(null);
    void recorded.then((recording) => this.events.recorded(recording));
  }
}
