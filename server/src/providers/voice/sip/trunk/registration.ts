import { type Hop, ownUri } from "../net/signalling.ts";
import type { Surroundings } from "../net/surroundings.ts";
import type { Transactions } from "../transaction/transactions.ts";
import { parseNameAddress, writeHost } from "../wire/address.ts";
import { HeaderList } from "../wire/header-list.ts";
import type { SipRequest, SipResponse } from "../wire/message.ts";
import type { TrunkConfig } from "./config.ts";
import type { Credentials } from "./credentials.ts";
import { sendSigned } from "./send-signed.ts";

const wantedSeconds = 300;
const maxSeconds = 3_600;
const retryMs = 30_000;

export interface RegistrationDeps {
  around: Surroundings;
  transactions: Transactions;
  credentials: Credentials;
  config: TrunkConfig;
  hops(): Promise<Hop[]>;
  /** Called with each result: null, or why it isn't registered. */
  onResult(fault: string | null): void;
}

/** Keeps a trunk registered (RFC 3261 §10): refreshes before it lapses, and retries if it's refused. */
export class Registration {
  private readonly deps: RegistrationDeps;
  private readonly callId: string;
  private seq = 0;
  private seconds = wantedSeconds;
  private isClosed = false;
  private stop = () => {};

  constructor(deps: RegistrationDeps) {
    this.deps = deps;
    this.callId = deps.around.random(16).toString("hex");
  }

  /** Resolves once there is a response. */
  register(): Promise<void> {
    return new Promise((resolve) => {
      void this.send(this.seconds, (response) => {
        this.take(response);
        resolve();
      });
    });
  }

  private async send(seconds: number, taken: (response: SipResponse | string) => void): Promise<void> {
    const hop = (await this.deps.hops())[0];
    if (hop === undefined) return taken("its host can't be resolved");
    const contact = await this.deps.transactions.signalling.ownPlace(hop).then(
      (own) => ownUri(own, hop.transport, this.deps.config.user ?? ""),
      () => null,
    );
    if (contact === null) return taken("it can't be reached from this machine");
    sendSigned(
      { ...this.deps, build: () => ({ request: this.request(contact, seconds), hop }) },
      { final: taken, failed: (cause) => taken(cause === "timeout" ? "it doesn't respond" : "it can't be reached") },
    );
  }

  private request(contact: string, seconds: number): SipRequest {
    const { config, transactions } = this.deps;
    const domain = writeHost(config.host);
    this.seq += 1;
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

  private take(response: SipResponse | string): void {
    if (this.isClosed) return;
    if (typeof response === "string") return this.refused(response);
    const least = Number(response.headers.get("min-expires") ?? Number.NaN);
    if (response.status === 423 && least > this.seconds && least <= maxSeconds) {
      this.seconds = least;
      return void this.register();
    }
    if (response.status >= 300) return this.refused(`it returned ${response.status} ${response.reason}`.trim());
    this.deps.onResult(null);
    // A quarter of the time is left for retries.
    this.again(this.grantedSeconds(response) * 750);
  }

  private grantedSeconds(response: SipResponse): number {
    const contacts = response.headers.listOf("contact").map(parseNameAddress);
    const own = contacts.map((one) => one?.params.get("expires")).find((one) => one !== undefined && /^\d{1,9}$/.test(one));
    const granted = Number(own ?? response.headers.get("expires") ?? this.seconds);
    return Number.isFinite(granted) ? Math.min(Math.max(granted, 20), maxSeconds) : this.seconds;
  }

  private refused(fault: string): void {
    this.deps.onResult(fault);
    this.again(retryMs);
  }

  private again(ms: number): void {
    this.stop();
    this.stop = this.deps.around.after(ms, () => void this.register());
  }

  /** Unregisters. Resolves once there is a response. */
  async close(): Promise<void> {
    this.isClosed = true;
    this.stop();
    if (this.seq === 0) return;
    await new Promise<void>((resolve) => void this.send(0, () => resolve()));
  }
}
