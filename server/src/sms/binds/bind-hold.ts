/** A bind that this process holds. */
export interface HeldBind {
  /** Resolves when it may be another's: the connection has to end. */
  lost: Promise<void>;
  release(): Promise<void>;
}

/** Sees to it that one process at a time holds a bind: carriers count connections. */
export interface BindHold {
  /** Waits until this process may hold it; null when `signal` fires first. */
  take(name: string, signal: AbortSignal): Promise<HeldBind | null>;
}
