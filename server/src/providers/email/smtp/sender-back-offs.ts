import { type BackOff, type Closed, createBackOff } from "./back-off.ts";
import type { Classified } from "./classify-exchange.ts";

/** Pauses single senders of a relay. It may refuse one project's domain with the words for its whole account. */
export interface SenderBackOffs {
  /** Returns null if this sender isn't paused. */
  refusal(sender: string): Closed | null;
  /** Pauses a sender. Returns whether only this one is refused: the relay has accepted others' messages lately. */
  fail(sender: string, classified: Pick<Classified, "reason" | "wait_ms">): boolean;
  succeed(sender: string): void;
}

const latelyMs = 300_000;
/** Longer than a site's first pause: when that ends, other senders come first and show whether they are accepted. */
const shortestMs = 60_000;

export function createSenderBackOffs({ now }: { now: () => Date }): SenderBackOffs {
  const refused = new Map<string, BackOff>();
  /** When each sender was lately accepted, the latest one last. */
  const accepted = new Map<string, number>();
  const forget = () => {
    const since = now().getTime() - latelyMs;
    for (const [sender, at] of accepted) {
      if (at >= since) return;
      accepted.delete(sender);
    }
  };
  return {
    refusal: (sender) => refused.get(sender)?.refusal(0) ?? null,
    fail(sender, { reason, wait_ms }) {
      const backOff = refused.get(sender) ?? createBackOff({ now });
      refused.set(sender, backOff);
      backOff.fail({ reason, wait_ms: Math.max(wait_ms ?? 0, shortestMs), isSlow: false });
      forget();
      return [...accepted.keys()].some((other) => other !== sender);
    },
    succeed(sender) {
      refused.delete(sender);
      accepted.delete(sender);
      accepted.set(sender, now().getTime());
      forget();
    },
  };
}
