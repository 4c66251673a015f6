import type { Surroundings } from "../net/surroundings.ts";
import type { Trunk } from "./trunk.ts";

/** How long a call may hold a channel before its turn. One whose turn comes later waits in the queue, where others can be placed first. */
export const aheadMs = 2_000;

/** A call's wait for a channel and a turn, before anyone is told that it begins. */
export class LineRequest {
  private readonly around: Pick<Surroundings, "after">;
  private readonly trunks: readonly Trunk[];
  private readonly onDecided: (isGranted: boolean) => void;
  private trunk: Trunk | null = null;
  private isOver = false;
  private stopWaiting = () => {};

  /** `onDecided` is called once, never before `start` returns, and not if the request is released first. */
  constructor(around: Pick<Surroundings, "after">, trunks: readonly Trunk[], onDecided: (isGranted: boolean) => void) {
    this.around = around;
    this.trunks = trunks;
    this.onDecided = onDecided;
  }

  /** The trunk of a granted line; null if none is usable. */
  get trunkName(): string | null {
    return this.trunk?.config.name ?? null;
  }

  /** Takes a channel of the first usable trunk that has one. If none is usable, there is nothing to wait for: dialing says why. */
  async start(): Promise<void> {
    let isUsable = false;
    for (const trunk of this.trunks) {
      if (trunk.unready !== null) await trunk.unready;
      if (this.isOver) return;
      if (trunk.fault !== null) continue;
      isUsable = true;
      const reserved = trunk.reserve(aheadMs);
      if (reserved === null) continue;
      this.trunk = trunk;
      return this.decide(true, reserved.delayMs);
    }
    this.decide(!isUsable, 0);
  }

  private decide(isGranted: boolean, afterMs: number): void {
    this.stopWaiting = this.around.after(afterMs, () => this.onDecided(isGranted));
  }

  /** Passes the channel on to the call; null if there is none. */
  take(): Trunk | null {
    this.isOver = true;
    const { trunk } = this;
    this.trunk = null;
    return trunk;
  }

  /** Gives the channel back. */
  release(): void {
    this.stopWaiting();
    this.take()?.release();
  }
}
