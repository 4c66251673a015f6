import type { Surroundings } from "../../net/surroundings.ts";
import { frameMs } from "../codec/g711.ts";

/** After a longer pause the frames are dropped: sending them all at once would help no one. */
const maxCatchUp = 10;

/** One 20 ms clock for all calls. After a delay it catches up, so that each call sends as many frames as time has passed. */
export class Ticker {
  private readonly around: Surroundings;
  private readonly members = new Map<() => void, (error: unknown) => void>();
  private next = 0;
  private stop: (() => void) | null = null;

  constructor(around: Surroundings) {
    this.around = around;
  }

  /** Calls `member` every 20 ms. One that throws is removed and `failed` is called, so that other calls continue. */
  add(member: () => void, failed: (error: unknown) => void): void {
    this.members.set(member, failed);
    if (this.stop === null) {
      this.next = this.around.now() + frameMs;
      this.wait();
    }
  }

  remove(member: () => void): void {
    this.members.delete(member);
    if (this.members.size > 0 || this.stop === null) return;
    this.stop();
    this.stop = null;
  }

  private wait(): void {
    this.stop = this.around.after(Math.max(0, this.next - this.around.now()), () => this.tick());
  }

  private tick(): void {
    const behind = Math.floor((this.around.now() - this.next) / frameMs);
    const frames = Math.min(Math.max(behind, 0), maxCatchUp) + 1;
    this.next += (Math.max(behind, 0) + 1) * frameMs;
    for (let count = 0; count < frames; count += 1) for (const [member, failed] of this.members) this.run(member, failed);
    if (this.members.size > 0) this.wait();
    else this.stop = null;
  }

  private run(member: () => void, failed: (error: unknown) => void): void {
    try {
      member();
    } catch (error) {
      this.members.delete(member);
      // Later, because that may fail as well.
      this.around.after(0, () => failed(error));
    }
  }
}
