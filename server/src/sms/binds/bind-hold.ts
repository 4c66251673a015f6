/** A bind that this process holds. */
export interface HeldBind {
  /** Resolves when another process may take it: the connection has to end. */
  lost: Promise<void>;
  release(): Promise<void>;
}

/** Makes sure that one process at a time holds a bind: carriers count connections. */
export interface BindHold {
  /** Waits until this process holds it; null if `signal` fires first. */
  take(name: string, signal: AbortSignal): Promise<HeldBind | null>;
}
