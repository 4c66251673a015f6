import type { After } from "#calls/index.ts";

/** Right after a call was placed, not all of a carrier's servers may know it. */
const certainAfterMs = 30_000;

/** Whether a carrier has a call: it doesn't if it has said so for half a minute and nothing showed the contrary in between. */
export class Absence {
  private readonly after: After;
  private isLong = false;
  private stop: (() => void) | null = null;

  constructor(after: After) {
    this.after = after;
  }

  /** The carrier says that it has no such call. True if that is certain by now. */
  confirm(): boolean {
    this.stop ??= this.after(certainAfterMs, () => {
      this.isLong = true;
    });
    return this.isLong;
  }

  /** The carrier reported something about the call, or didn't say that it has none. */
  refute(): void {
    this.stop?.();
    this.stop = null;
    this.isLong = false;
  }
}
