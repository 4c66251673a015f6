import type { Surroundings } from "../../net/surroundings.ts";

export type DigitSource = "event" | "info" | "tone";

/** Within this time the same digit from another source is the same key press. */
const samePressMs = 800;
/** More keys than this are ignored. */
const maxPerSecond = 25;

/** Merges digits from three sources that may all report the same key press. */
export class DigitMerger {
  private readonly around: Pick<Surroundings, "now">;
  private last: { digit: string; source: DigitSource; at: number } | null = null;
  private second = 0;
  private inSecond = 0;
  private hasEvents = false;

  constructor(around: Pick<Surroundings, "now">) {
    this.around = around;
  }

  /** Whether this digit is a new one. */
  take(digit: string, source: DigitSource): boolean {
    const at = this.around.now();
    if (source === "event") this.hasEvents = true;
    // A peer that sends events may also send the tone, which adds nothing.
    if (source === "tone" && this.hasEvents) return false;
    const { last } = this;
    if (last !== null && last.digit === digit && last.source !== source && at - last.at < samePressMs) return false;
    if (at - this.second >= 1_000) {
      this.second = at;
      this.inSecond = 0;
    }
    this.inSecond += 1;
    if (this.inSecond > maxPerSecond) return false;
    this.last = { digit, source, at };
    return true;
  }
}

/** The digit of a SIP INFO, in `application/dtmf-relay` or `application/dtmf` format. */
export function readInfoDigit(type: string, body: Buffer): string | null {
  const kind = type.split(";")[0]?.trim().toLowerCase();
  const text = body.toString("latin1", 0, 200);
  const written =
    kind === "application/dtmf-relay"
      ? /(?:^|\n)signal[ \t]{0,9}=[ \t]{0,9}([0-9A-D*#]{1,2})[ \t\r]{0,9}(?:$|\n)/i.exec(text)?.[1]
      : kind === "application/dtmf"
        ? /^\s{0,9}([0-9A-D*#]{1,2})\s{0,9}$/i.exec(text)?.[1]
        : undefined;
  if (written === undefined) return null;
  // Some peers write the event's number: 10 is the star, 11 the hash.
  const byNumber: Readonly<Record<string, string>> = { "10": "*", "11": "#" };
  return byNumber[written] ?? (written.length === 1 ? written.toUpperCase() : null);
}
