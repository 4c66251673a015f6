import { type Dialog, dialogOf, requestIn } from "../dialog/dialog.ts";
import { leastSeconds, readLeast, wantedSeconds } from "../dialog/session-timer.ts";
import { type Hop, ownUri } from "../net/signalling.ts";
import type { Place, Surroundings } from "../net/surroundings.ts";
import type { ClientTransaction } from "../transaction/client-transaction.ts";
import type { Transactions } from "../transaction/transactions.ts";
import { hopOf } from "../trunk/find-hops.ts";
import { sendSigned } from "../trunk/send-signed.ts";
import type { Trunk } from "../trunk/trunk.ts";
import { writeHost } from "../wire/address.ts";
import { HeaderList } from "../wire/header-list.ts";
import { type SipRequest, type SipResponse, writeMessage } from "../wire/message.ts";

export const allowed = "INVITE, ACK, CANCEL, BYE, OPTIONS, UPDATE, INFO";

export interface InviteDeps {
  around: Surroundings;
  transactions: Transactions;
}

export interface InviteTo {
  trunk: Trunk;
  hop: Hop;
  /** Our address and port for that hop. */
  own: Place;
  from: string;
  to: string;
  offer: Buffer;
}

/** The results of an INVITE: any number of `early`, then one of the others. */
export interface InviteUser {
  early(response: SipResponse): void;
  answered(dialog: Dialog, response: SipResponse): void;
  refused(response: SipResponse): void;
  failed(cause: "timeout" | "unreachable"): void;
}

interface Acknowledged {
  dialog: Dialog;
  ack: Buffer;
  hop: Hop;
}

/** One call attempt: an INVITE with its credentials, its CANCEL, and an ACK for every later 2xx. */
export class Invite {
  private readonly deps: InviteDeps;
  private readonly to: InviteTo;
  private readonly user: InviteUser;
  private readonly callId: string;
  private readonly from: string;
  private readonly opened = new Map<string, Promise<Acknowledged | null>>();
  private transaction: ClientTransaction | null = null;
  private seq: number;
  private minSe = leastSeconds;
  private state: "open" | "left" | "done" = "open";
  private cancelReason: string | null = null;
  private isCancelSent = false;
  private hasProvisional = false;

  constructor(deps: InviteDeps, to: InviteTo, user: InviteUser) {
    this.deps = deps;
    this.to = to;
    this.user = user;
    this.callId = deps.around.random(16).toString("hex");
    this.from = `<sip:${to.from}@${writeHost(to.own.address)}>;tag=${deps.transactions.newTag()}`;
    this.seq = 1 + (deps.around.random(2).readUInt16BE() % 1_000);
  }

  /** Whether the peer has responded at all. */
  get hasResponse(): boolean {
    return this.hasProvisional;
  }

  start(): void {
    sendSigned(
      {
        transactions: this.deps.transactions,
        credentials: this.to.trunk.credentials,
        build: () => ({ request: this.request(), hop: this.to.hop }),
        onTry: (transaction) => this.take(transaction),
        mayRepeat: () => this.state === "open",
      },
      {
        provisional: (response) => this.provisional(response),
        final: (response) => this.final(response),
        failed: (cause) => this.end(() => this.user.failed(cause)),
      },
    );
  }

  private request(): SipRequest {
    const { trunk, hop, own, from, to, offer } = this.to;
    const number = trunk.config.plus ? to : to.replace(/^\+/, "");
    const uri = `sip:${number}@${writeHost(trunk.config.host)}${trunk.config.port === null ? "" : `:${trunk.config.port}`};user=phone`;
    this.seq += 1;
    this.isCancelSent = false;
    this.hasProvisional = false;
    const headers = new HeaderList([
      ["max-forwards", "70"],
      ["from", this.from],
      ["to", `<${uri}>`],
      ["call-id", this.callId],
      ["cseq", `${this.seq} INVITE`],
      ["contact", `<${ownUri(own, hop.transport, "tillpost")}>`],
      ["p-asserted-identity", `<sip:${from}@${writeHost(own.address)}>`],
      ["allow", allowed],
      ["supported", "timer"],
      ["session-expires", String(Math.max(wantedSeconds, this.minSe))],
      ["min-se", String(this.minSe)],
      ["user-agent", "Tillpost"],
      ["content-type", "application/sdp"],
    ]);
    return { kind: "request", method: "INVITE", uri, headers, body: offer };
  }

  private take(transaction: ClientTransaction): void {
    this.transaction = transaction;
    if (this.state !== "left") return;
    if (this.hasProvisional) this.sendCancel();
    else transaction.stopRepeating();
  }

  private provisional(response: SipResponse): void {
    this.hasProvisional = true;
    if (this.state === "left") return this.sendCancel();
    if (this.state === "open" && response.status > 100) this.user.early(response);
  }

  private final(response: SipResponse): void {
    if (response.status < 300) {
      // An error is reported as that of a timer is.
      this.success(response).catch((error: unknown) =>
        this.deps.around.after(0, () => {
          throw error;
        }),
      );
      return;
    }
    const least = response.status === 422 ? readLeast(response) : null;
    if (least !== null && least > this.minSe && this.state === "open") {
      this.minSe = least;
      return this.start();
    }
    this.end(() => this.user.refused(response));
  }

  private end(notify: () => void): void {
    if (this.state === "done") return;
    const wasOpen = this.state === "open";
    this.state = "done";
    if (wasOpen || this.cancelReason !== null) notify();
  }

  /**
   * Acknowledges every 2xx, also when it's repeated. Only the first counts, and none after the attempt was canceled or abandoned: those
   * calls are hung up at once.
   */
  private async success(response: SipResponse): Promise<void> {
    const invite = this.transaction?.request;
    if (invite === undefined) return;
    const dialog = dialogOf(invite, response, this.to.hop);
    const known = this.opened.get(dialog.remoteTag);
    if (known !== undefined) {
      const last = await known;
      if (last === null) return void this.opened.set(dialog.remoteTag, this.acknowledge(dialog));
      return void this.deps.transactions.signalling.send(last.ack, last.hop).catch(() => undefined);
    }
    const isTaken = this.state === "open";
    const acknowledged = this.acknowledge(dialog);
    this.opened.set(dialog.remoteTag, acknowledged);
    if (isTaken) {
      this.state = "done";
      this.user.answered(dialog, response);
      return;
    }
    await acknowledged;
    this.sendBye(dialog);
    this.end(() => this.user.refused(gone(response)));
  }

  /** null: there is no route to the peer. Its answer arrives again, and is acknowledged then. */
  private async acknowledge(dialog: Dialog): Promise<Acknowledged | null> {
    const { request, next } = requestIn(dialog, { method: "ACK", seq: dialog.localSeq });
    const signature =
      this.transaction?.request.headers.entries().filter(([name]) => name === "authorization" || name === "proxy-authorization") ?? [];
    const signed = { ...request, headers: new HeaderList([...request.headers.entries(), ...signature]) };
    const hop = await hopOf(this.deps.around, next, this.to.hop);
    const complete = await this.deps.transactions.withVia(signed, hop).catch(() => null);
    if (complete === null) return null;
    const ack = writeMessage(complete);
    await this.deps.transactions.signalling.send(ack, hop).catch(() => undefined);
    return { dialog, ack, hop };
  }

  private sendBye(dialog: Dialog): void {
    const build = () => {
      const { request } = requestIn(dialog, { method: "BYE", headers: this.reasonHeaders() });
      return { request, hop: this.to.hop };
    };
    void this.opened.get(dialog.remoteTag)?.then((acknowledged) => {
      const hop = acknowledged?.hop ?? this.to.hop;
      const send = { transactions: this.deps.transactions, credentials: this.to.trunk.credentials, build: () => ({ ...build(), hop }) };
      sendSigned(send, { final: () => undefined, failed: () => undefined });
    });
  }

  private reasonHeaders(): [string, string][] {
    return this.cancelReason === null ? [] : [["reason", this.cancelReason]];
  }

  /**
   * Ends the attempt with a CANCEL once the peer has responded (earlier it would match nothing). `refused` follows with its final response.
   * Until then the INVITE isn't repeated.
   */
  cancel(reason: string): void {
    if (this.state !== "open") return;
    this.state = "left";
    this.cancelReason = reason;
    if (this.hasProvisional) this.sendCancel();
    else this.transaction?.stopRepeating();
  }

  /** Abandons the attempt without notifying the user: a later answer is canceled or hung up. */
  abandon(): void {
    if (this.state === "open") this.state = "left";
    this.transaction?.giveUp();
    if (this.hasProvisional) this.sendCancel();
  }

  private sendCancel(): void {
    const { transaction } = this;
    if (transaction === null || this.isCancelSent) return;
    this.isCancelSent = true;
    this.deps.transactions
      .send(transaction.cancelRequest(this.cancelReason), this.to.hop, { final: () => undefined, failed: () => undefined })
      .catch(() => undefined);
    transaction.canceled();
  }
}

/** A call that was answered just as it was canceled counts as unanswered. */
function gone(response: SipResponse): SipResponse {
  return { ...response, status: 487, reason: "Request Terminated" };
}
