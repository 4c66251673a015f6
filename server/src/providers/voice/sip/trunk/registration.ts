import { type Hop, ownUri } from "../net/signalling.ts";
import type { Surroundings } from "../net/surroundings.ts";
import type { ClientTransaction } from "../transaction/client-transaction.ts";
import type { Transactions } from "../transaction/transactions.ts";
import { type NameAddress, parseNameAddress, parseUri, parseVia, writeHost } from "../wire/address.ts";
import { HeaderList } from "../wire/header-list.ts";
import type { SipRequest, SipResponse } from "../wire/message.ts";
import type { TrunkConfig } from "./config.ts";
import type { Credentials } from "./credentials.ts";
import { sendSigned } from "./send-signed.ts";

const wantedSeconds = 300;
const maxSeconds = 3_600;
const retryMs = 30_000;
/** How long an address may be silent if there is another to try. */
const patienceMs = 8_000;

export interface RegistrationDeps {
  around: Surroundings;
  transactions: Transactions;
  credentials: Credentials;
  config: TrunkConfig;
  hops(): Promise<Hop[]>;
  /** Called with null once it's registered, or again, and with why it isn't. */
  onResult(fault: string | null): void;
}

/** Keeps a trunk registered (RFC 3261 §10): refreshes before it lapses, and retries if it's refused. */
export class Registration {
  private readonly deps: RegistrationDeps;
  private readonly callId: string;
  private seq = 0;
  private seconds = wantedSeconds;
  /** Our address as it was sent last. */
  private contact = "";
  private isClosed = false;
  /** The address that granted it last, and when that lapses, by the monotonic clock. */
  private registrar: Hop | null = null;
  private grantedUntil = 0;
  private stop = () => {};
  private stopLapse = () => {};

  constructor(deps: RegistrationDeps) {
    this.deps = deps;
    this.callId = deps.around.random(16).toString("hex");
  }

  /** Resolves once there is a result. */
  async register(): Promise<void> {
    const { response, hop } = await this.send(this.seconds);
    if (this.isClosed) return;
    if (typeof response === "string") return this.refused(response);
    const least = Number(response.headers.get("min-expires") ?? Number.NaN);
    if (response.status === 423 && least > this.seconds && least <= maxSeconds) {
      this.seconds = least;
      return this.register();
    }
    if (response.status >= 300) return this.refused(`it returned ${response.status} ${wordsOf(response)}`.trim());
    this.registrar = hop;
    this.granted(this.grantedSeconds(response));
  }

  /**
   * Sends it to each of the trunk's addresses until one responds, other than with an error of its own. The one that it's registered at
   * comes first: another would make a second registration of it.
   */
  private async send(seconds: number): Promise<{ response: SipResponse | string; hop: Hop | null }> {
    let response: SipResponse | string = "its host can't be resolved";
    const { current } = this;
    const all = await this.deps.hops();
    const hops = current === null ? all : [current, ...all.filter((hop) => !isSameHop(hop, current))];
    for (const [index, hop] of hops.entries()) {
      response = await this.sendTo(hop, { seconds, isLast: index === hops.length - 1 });
      if (typeof response !== "string" && (response.status < 500 || response.status >= 600)) return { response, hop };
    }
    return { response, hop: null };
  }

  /** The address that it's registered at; null if it isn't. */
  private get current(): Hop | null {
    return this.grantedUntil > this.deps.around.now() ? this.registrar : null;
  }

  private async sendTo(hop: Hop, { seconds, isLast }: { seconds: number; isLast: boolean }): Promise<SipResponse | string> {
    const own = await this.deps.transactions.signalling.ownPlace(hop).catch(() => null);
    if (own === null) return "it can't be reached from this machine";
    const contact = ownUri(own, hop.transport, this.deps.config.user ?? "");
    return new Promise((resolve) => {
      let sent: ClientTransaction | null = null;
      const giveUp = () => {
        sent?.giveUp();
        resolve("it doesn't respond");
      };
      const stop = isLast ? () => {} : this.deps.around.after(patienceMs, giveUp);
      const done = (result: SipResponse | string) => {
        stop();
        resolve(result);
      };
      const build = () => ({ request: this.request(contact, seconds), hop });
      sendSigned(
        { ...this.deps, build, onTry: (transaction) => void (sent = transaction) },
        { final: done, failed: (cause) => done(cause === "timeout" ? "it doesn't respond" : "it can't be reached") },
      );
    });
  }

  private request(contact: string, seconds: number): SipRequest {
    const { config, transactions } = this.deps;
    const domain = writeHost(config.host);
    this.seq += 1;
    this.contact = contact;
    const address = `<sip:${config.user ?? ""}@${domain}>`;
    const headers = new HeaderList([
      ["max-forwards", "70"],
      ["from", `${address};tag=${transactions.newTag()}`],
      ["to", address],
      ["call-id", this.callId],
      ["cseq", `${this.seq} REGISTER`],
      ["contact", `<${contact}>`],
      ["expires", String(seconds)],
      ["user-agent", "Tillpost"],
    ]);
    return { kind: "request", method: "REGISTER", uri: `sip:${domain}`, headers, body: Buffer.alloc(0) };
  }

  /**
   * The response lists everyone who is registered as this user: our own entry counts (RFC 3261 §10.2.4). Behind address translation it may
   * have the address that the registrar sees us at (RFC 3581 §4): if none is recognizable, the one that lapses first counts.
   */
  private grantedSeconds(response: SipResponse): number {
    const contacts = response.headers.listOf("contact").map(parseNameAddress);
    const entries = contacts.filter((one) => one !== null);
    const places = [this.contact, seenAs(response, this.contact)];
    const own = places.map((place) => entries.find(({ uri }) => isSamePlace(uri, place))).find((entry) => entry !== undefined);
    const general = Number(response.headers.get("expires") ?? this.seconds);
    const granted = own === undefined ? Math.min(general, ...entries.flatMap((one) => secondsOf(one) ?? [])) : (secondsOf(own) ?? general);
    return Number.isFinite(granted) ? Math.min(Math.max(granted, 20), maxSeconds) : this.seconds;
  }

  private granted(seconds: number): void {
    this.stopLapse();
    this.grantedUntil = this.deps.around.now() + seconds * 1_000;
    this.deps.onResult(null);
    this.stopLapse = this.deps.around.after(seconds * 1_000, () => this.deps.onResult("its registration has lapsed"));
    // A quarter of the time is left for retries.
    this.again(seconds * 750);
  }

  /** A trunk that is still registered can be used until that lapses. */
  private refused(fault: string): void {
    this.stopLapse();
    const leftMs = this.grantedUntil - this.deps.around.now();
    if (leftMs > 0) this.stopLapse = this.deps.around.after(leftMs, () => this.deps.onResult(fault));
    else this.deps.onResult(fault);
    this.again(retryMs);
  }

  private again(ms: number): void {
    this.stop();
    this.stop = this.deps.around.after(ms, () => void this.register());
  }

  /** Unregisters, where it's registered. Resolves once there is a response. */
  async close(): Promise<void> {
    this.isClosed = true;
    this.stop();
    this.stopLapse();
    const { current } = this;
    if (current !== null) await this.sendTo(current, { seconds: 0, isLast: true });
    else if (this.seq > 0) await this.send(0);
  }
}

const wordsMax = 200;

/** A registrar's own words, for operators: on one line, truncated. */
function wordsOf({ reason }: SipResponse): string {
  const line = reason.replaceAll(/[\p{Cc}\s]+/gu, " ").trim();
  return line.slice(0, wordsMax).toWellFormed();
}

function isSameHop(one: Hop, other: Hop): boolean {
  return one.address === other.address && one.port === other.port && one.transport === other.transport;
}

/** Our own Contact with the address that the request came from, as its response says; unchanged if it doesn't. */
function seenAs(response: SipResponse, contact: string): string {
  const [own, via] = [parseUri(contact), parseVia(response.headers.listOf("via")[0] ?? "")];
  if (own === null || via === null) return contact;
  const host = via.params.get("received") ?? own.host;
  const port = via.params.get("rport") ?? "";
  return `sip:${own.user}@${writeHost(host)}:${/^\d{1,5}$/.test(port) ? port : own.port}`;
}

/** How long an entry lasts; null if it doesn't say, or is removed. */
function secondsOf({ params }: NameAddress): number | null {
  const expires = params.get("expires") ?? "";
  return /^\d{1,9}$/.test(expires) && Number(expires) > 0 ? Number(expires) : null;
}

/** Whether an address is that of our own Contact, also without its port. */
function isSamePlace(uri: string, own: string): boolean {
  const [one, ours] = [parseUri(uri), parseUri(own)];
  if (one === null || ours === null) return false;
  return one.user === ours.user && one.host.toLowerCase() === ours.host.toLowerCase() && (one.port ?? ours.port) === ours.port;
}
