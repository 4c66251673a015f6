import type { Surroundings } from "../net/surroundings.ts";
import type { SipRequest, SipResponse } from "../wire/message.ts";
import { parseParams } from "../wire/scan.ts";

/** What we request, in seconds, and the minimum that we accept (RFC 4028). */
export const wantedSeconds = 1_800;
export const leastSeconds = 90;
const maxSeconds = 86_400;

export interface AgreedTimer {
  seconds: number;
  /** Whether we do the refreshes. */
  isOurs: boolean;
}

/** `Session-Expires` as agreed in a 2xx of the peer, or as requested by the peer. null: no timer. */
export function readSessionTimer(message: SipRequest | SipResponse): AgreedTimer | null {
  const [text = "", ...rest] = (message.headers.get("session-expires") ?? "").split(";");
  if (!/^\s{0,20}\d{1,9}\s{0,20}$/.test(text)) return null;
  const seconds = Math.min(Math.max(Number(text), leastSeconds), maxSeconds);
  const refresher = parseParams(rest.join(";")).get("refresher")?.toLowerCase();
  // In both, `uac` means the sender of the request. If a request of the peer doesn't say, the peer refreshes.
  return { seconds, isOurs: message.kind === "response" ? refresher !== "uas" : refresher === "uas" };
}

/** Whether the peer requests more frequent refreshes than we accept. */
export function isTooShort(request: SipRequest): boolean {
  const match = /^\s{0,20}(\d{1,9})/.exec(request.headers.get("session-expires") ?? "");
  return match !== null && Number(match[1]) < leastSeconds;
}

/** The minimum in seconds that a 422 requires, or null. */
export function readLeast(response: SipResponse): number | null {
  const match = /^\s{0,20}(\d{1,9})/.exec(response.headers.get("min-se") ?? "");
  return match === null ? null : Math.min(Number(match[1]), maxSeconds);
}

/** Runs an agreed timer: refreshes at half of it, or reports that the peer didn't refresh in time. */
export class SessionTimer {
  private readonly around: Surroundings;
  private readonly handlers: { refresh(): void; expired(): void };
  private stop = () => {};

  constructor(around: Surroundings, handlers: { refresh(): void; expired(): void }) {
    this.around = around;
    this.handlers = handlers;
  }

  /** Restarts with the negotiated values; null ends it. */
  agree(timer: AgreedTimer | null): void {
    this.stop();
    this.stop = () => {};
    if (timer === null) return;
    const ms = timer.seconds * 1_000;
    // RFC 4028 §10: the BYE is sent before the end, so that it arrives while the call still exists.
    const expiryMs = ms - Math.min(32_000, ms / 3);
    const callback = timer.isOurs ? () => this.handlers.refresh() : () => this.handlers.expired();
    this.stop = this.around.after(timer.isOurs ? ms / 2 : expiryMs, callback);
  }

  end(): void {
    this.stop();
  }
}
