import type { TransportBoard, TransportNotes } from "#messaging/index.ts";

/** What one request to a carrier came to, as far as it says how the account is. */
export interface AccountAnswer {
  /** `refused`: what was asked for was at fault, not the account. */
  result: "accepted" | "refused" | "failed";
  reason: string | null;
}

export interface WatchedAccounts {
  up(account: string): void;
  /** `nextAt`: when it is used again; null where nothing keeps it from being used. */
  down(account: string, reason: string, nextAt: Date | null): void;
  answered(account: string, answer: AccountAnswer): void;
}

interface Account {
  name: string;
  inFlight: number;
  capacity: number;
  pausedUntil?: Date | null;
}

/** Puts each account with a carrier over HTTP on the board of this process's ways out. `look` gives them as they are when it is asked. */
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
