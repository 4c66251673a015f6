import type { TransportBoard, TransportNotes } from "#messaging/index.ts";

/** The result of one request to a carrier, as far as it shows the account's state. */
export interface AccountAnswer {
  /** `refused`: the request was at fault, not the account. */
  result: "accepted" | "refused" | "failed";
  reason: string | null;
}

export interface WatchedAccounts {
  up(account: string): void;
  /** `nextAt`: when it's used again; null if nothing prevents its use. */
  down(account: string, reason: string, nextAt: Date | null): void;
  answered(account: string, answer: AccountAnswer): void;
}

interface Account {
  name: string;
  inFlight: number;
  capacity: number;
  pausedUntil?: Date | null;
}

/** Puts each account with an HTTP carrier on this process's transport board. `look` returns their current state. */
export function watchAccounts(
  board: TransportBoard,
  channel: "sms" | "call",
  { names, look }: { names: readonly string[]; look(): Account[] },
): WatchedAccounts {
  const notes = new Map<string, TransportNotes>(
    names.map((name) => {
      const own = () => look().find((account) => account.name === name) ?? { inFlight: 0, capacity: null };
      return [name, board.add({ channel, name: `http:${name}`, kind: "http" }, own)];
    }),
  );
  return {
    up: (name) => notes.get(name)?.up(),
    down: (name, reason, nextAt) => notes.get(name)?.down(reason, nextAt ?? undefined),
    answered(name, { result, reason }) {
      const own = notes.get(name);
      if (result === "accepted") {
        own?.up();
        own?.handed();
      } else own?.failed(result === "refused" ? undefined : (reason ?? undefined));
    },
  };
}
