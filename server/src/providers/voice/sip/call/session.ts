import { type Dialog, isInOrder, refreshTarget, requestIn } from "../dialog/dialog.ts";
import { isTooShort, leastSeconds, readLeast, readSessionTimer, SessionTimer, wantedSeconds } from "../dialog/session-timer.ts";
import { readInfoDigit } from "../media/dtmf/digit-merger.ts";
import type { MediaSession } from "../media/leg/media-session.ts";
import { type Hop, ownUri } from "../net/signalling.ts";
import type { Place, Surroundings } from "../net/surroundings.ts";
import type { ServerTransaction } from "../transaction/server-transaction.ts";
import type { Transactions } from "../transaction/transactions.ts";
import type { Credentials } from "../trunk/credentials.ts";
import { hopOf } from "../trunk/find-hops.ts";
import { sendSigned } from "../trunk/send-signed.ts";
import { type SipRequest, type SipResponse, writeMessage } from "../wire/message.ts";
import { readDescription } from "../wire/session-description.ts";
import { readReason, reasonText } from "./classify-answer.ts";
import { allowed } from "./invite.ts";

export interface SessionDeps {
  around: Surroundings;
  transactions: Transactions;
  credentials: Credentials;
  media: MediaSession;
  own: Place;
}

export interface SessionUser {
  /** The call is over; called once. */
  ended(by: "callee" | "transport", reason: string | null): void;
  /** The peer has received our BYE, or never will: nothing more belongs to this call. */
  closed(): void;
}

const sdp: [string, string] = ["content-type", "application/sdp"];
const waitPendingMs = 2_500;

/** An answered call's signaling: the peer's requests, session refreshes, and the end. */
export class Session {
  private readonly deps: SessionDeps;
  private readonly dialog: Dialog;
  private readonly user: SessionUser;
  private readonly timer: SessionTimer;
  private readonly mayUpdate: boolean;
  private hop: Hop;
  private pending: ServerTransaction | null = null;
  private awaitsAnswer = false;
  private isRefreshing = false;
  private isOver = false;
  private minSe = leastSeconds;

  constructor(deps: SessionDeps, opened: { dialog: Dialog; response: SipResponse }, user: SessionUser) {
    this.deps = deps;
    this.dialog = opened.dialog;
    this.hop = opened.dialog.hop;
    this.user = user;
    this.mayUpdate = opened.response.headers.names("allow", "UPDATE");
    this.timer = new SessionTimer(deps.around, {
      refresh: () => this.refresh(),
      expired: () => this.lose("the peer did not refresh the session in time"),
    });
    this.timer.agree(readSessionTimer(opened.response));
    this.findHop();
  }

  /** Looks up where requests go ahead of time; until that's known they go where the call went. */
  private findHop(): void {
    const { next } = requestIn({ ...this.dialog }, { method: "BYE" });
    void hopOf(this.deps.around, next, this.dialog.hop).then((hop) => void (this.hop = hop));
  }

  /** Whether a request with these tags belongs to this call. */
  isNamed(localTag: string, remoteTag: string): boolean {
    return localTag === this.dialog.localTag && remoteTag === this.dialog.remoteTag;
  }

  // ——— our requests ———

  private send(
    method: string,
    more: { headers?: [string, string][]; body?: Buffer },
    user: { final(response: SipResponse): void; failed(): void },
  ): void {
    const build = () => ({ request: requestIn(this.dialog, { method, ...more }).request, hop: this.hop });
    const sent: { request?: SipRequest } = {};
    const onTry = ({ request }: { request: SipRequest }) => void (sent.request = request);
    sendSigned(
      { ...this.deps, build, onTry },
      {
        final: (response) => {
          if (method === "INVITE" && response.status < 300 && sent.request !== undefined) this.acknowledge(sent.request);
          user.final(response);
        },
        failed: () => user.failed(),
      },
    );
  }

  private acknowledge(invite: SipRequest): void {
    const seq = Number(/^\d{1,10}/.exec(invite.headers.get("cseq") ?? "")?.[0] ?? 0);
    const { request } = requestIn(this.dialog, { method: "ACK", seq });
    void this.deps.transactions
      .withVia(request, this.hop)
      .then((ack) => this.deps.transactions.signalling.send(writeMessage(ack), this.hop))
      .catch(() => undefined);
  }

  /** Hangs up. `closed` follows once the peer has responded. */
  bye(reason: string): void {
    if (this.isOver) return;
    this.isOver = true;
    this.timer.end();
    this.send("BYE", { headers: [["reason", reason]] }, { final: () => this.user.closed(), failed: () => this.user.closed() });
  }

  private lose(reason: string): void {
    if (this.isOver) return;
    this.bye('SIP;cause=408;text="Session lost"');
    this.user.ended("transport", reason);
  }

  private refresh(): void {
    if (this.isOver || this.isRefreshing) return;
    this.isRefreshing = true;
    const method = this.mayUpdate ? "UPDATE" : "INVITE";
    const timer: [string, string][] = [
      ["supported", "timer"],
      ["session-expires", `${Math.max(wantedSeconds, this.minSe)};refresher=uac`],
      ["min-se", String(this.minSe)],
      ["contact", `<${ownUri(this.deps.own, this.hop.transport, "tillpost")}>`],
      ["allow", allowed],
    ];
    const body = method === "INVITE" ? { headers: [...timer, sdp], body: this.deps.media.describe() } : { headers: timer };
    this.send(method, body, {
      final: (response) => this.refreshed(response),
      failed: () => this.lose("the peer did not answer the refresh of the session"),
    });
  }

  private refreshed(response: SipResponse): void {
    this.isRefreshing = false;
    if (this.isOver) return;
    if (response.status < 300) {
      refreshTarget(this.dialog, response);
      const answer = response.body.length === 0 ? null : readDescription(response.body);
      if (answer !== null) this.deps.media.accept(answer);
      return this.timer.agree(readSessionTimer(response));
    }
    const least = response.status === 422 ? readLeast(response) : null;
    if (least !== null && least > this.minSe) {
      this.minSe = least;
      return this.refresh();
    }
    // 491: both sides sent a request at once. Other failures leave the session as it was, and it lapses unless the next refresh succeeds.
    if (response.status === 491) return void this.deps.around.after(waitPendingMs, () => this.refresh());
    if (response.status === 408 || response.status === 481) this.lose(`the peer knows the call no more: ${response.status}`);
    else this.timer.agree({ seconds: leastSeconds, isOurs: true });
  }

  // ——— the peer's requests ———

  take(transaction: ServerTransaction): void {
    const { request } = transaction;
    if (!isInOrder(this.dialog, request))
      return transaction.answer({ status: 500, reason: "Out Of Order", headers: [["retry-after", "2"]] });
    if (request.method === "BYE") return this.takeBye(transaction);
    if (this.isOver) return transaction.answer({ status: 481, reason: "Call Does Not Exist" });
    if (request.method === "INVITE" || request.method === "UPDATE") return this.takeOffer(transaction);
    if (request.method === "INFO") return this.takeInfo(transaction);
    if (request.method === "OPTIONS") return transaction.answer({ status: 200, reason: "OK", headers: [["allow", allowed]] });
    transaction.answer({ status: 405, reason: "Method Not Allowed", headers: [["allow", allowed]] });
  }

  private takeBye(transaction: ServerTransaction): void {
    transaction.answer({ status: 200, reason: "OK" });
    if (this.isOver) return;
    this.isOver = true;
    this.timer.end();
    this.user.ended("callee", reasonText("", readReason(transaction.request)));
    this.user.closed();
  }

  private takeInfo(transaction: ServerTransaction): void {
    const { headers, body } = transaction.request;
    const digit = readInfoDigit(headers.get("content-type") ?? "", body);
    transaction.answer({ status: 200, reason: "OK" });
    if (digit !== null) this.deps.media.press(digit, "info");
  }

  /** Handles a new offer during the call: hold and resume, another address, or a refresh. */
  private takeOffer(transaction: ServerTransaction): void {
    const { request } = transaction;
    const isInvite = request.method === "INVITE";
    if (this.isRefreshing && (isInvite || request.body.length > 0)) return transaction.answer({ status: 491, reason: "Request Pending" });
    if (isTooShort(request))
      return transaction.answer({ status: 422, reason: "Session Interval Too Small", headers: [["min-se", String(leastSeconds)]] });
    if (this.pending !== null) return transaction.answer({ status: 500, reason: "Request Pending", headers: [["retry-after", "2"]] });
    const offer = request.body.length === 0 ? null : readDescription(request.body);
    const answer =
      request.body.length === 0
        ? isInvite
          ? this.deps.media.offer()
          : Buffer.alloc(0)
        : offer === null
          ? null
          : this.deps.media.answer(offer);
    if (answer === null) return transaction.answer({ status: 488, reason: "Not Acceptable Here" });
    refreshTarget(this.dialog, request);
    this.findHop();
    const timer = readSessionTimer(request);
    const timed: [string, string][] =
      timer === null
        ? []
        : [
            ["session-expires", `${timer.seconds};refresher=${timer.isOurs ? "uas" : "uac"}`],
            ...(timer.isOurs ? [] : [["require", "timer"] as [string, string]]),
          ];
    const contact = `<${ownUri(this.deps.own, this.hop.transport, "tillpost")}>`;
    const headers: [string, string][] = [
      ["contact", contact],
      ["allow", allowed],
      ["supported", "timer"],
      ...timed,
      ...(answer.length === 0 ? [] : [sdp]),
    ];
    if (isInvite) {
      this.pending = transaction;
      this.awaitsAnswer = request.body.length === 0;
      transaction.onUnacknowledged = () => this.lose("the peer never acknowledged our answer");
    }
    transaction.answer({ status: 200, reason: "OK", headers, body: answer });
    this.timer.agree(timer);
  }

  /** Handles the ACK of our response to a new offer; if the peer offered nothing, the ACK has its answer to our offer. */
  takeAck(ack: SipRequest): void {
    const { pending } = this;
    if (pending === null || ack.headers.get("cseq")?.split(" ")[0] !== pending.request.headers.get("cseq")?.split(" ")[0]) return;
    pending.acknowledged();
    this.pending = null;
    const answer = this.awaitsAnswer ? readDescription(ack.body) : null;
    if (answer !== null) this.deps.media.accept(answer);
  }
}
