import type { TransportBoard, TransportNotes } from "#messaging/index.ts";
import type { SmppTransport } from "#providers/sms/smpp/create-smpp-transport.ts";
import { classifyAnswer, spellStatus } from "#providers/sms/smpp/wire/answers.ts";

/** What binds report while they work, noted for operators. */
export interface WatchedBinds {
  up(bind: string): void;
  down(bind: string, reason: string): void;
  submitted(bind: string, status: number | null): void;
  /** Sets the transport that has the binds, once there is one. */
  of(transport: Pick<SmppTransport, "binds">): void;
}

/** Puts each bind on this process's transport board. */
export function watchBinds(board: TransportBoard, names: readonly string[]): WatchedBinds {
  let transport: Pick<SmppTransport, "binds"> | null = null;
  const stateOf = (name: string) => transport?.binds().find((bind) => bind.name === name);
  const notes = new Map<string, TransportNotes>(
    names.map((name) => {
      const look = () => {
        const bind = stateOf(name);
        return { inFlight: bind?.inUse ?? 0, capacity: bind?.window ?? null, pausedUntil: bind?.restsUntil ?? null };
      };
      return [name, board.add({ channel: "sms", name: `smpp:${name}`, kind: "smpp" }, look)];
    }),
  );
  return {
    up: (name) => notes.get(name)?.up(),
    down: (name, reason) => notes.get(name)?.down(reason),
    submitted(name, status) {
      if (status === 0) notes.get(name)?.handed();
      else notes.get(name)?.failed(faultOf(status));
    },
    of(opened) {
      transport = opened;
    },
  };
}

function faultOf(status: number | null): string {
  if (status === null) return "The carrier's response was lost.";
  const verdict = classifyAnswer(status);
  return verdict.result === "accepted" ? spellStatus(status) : `${verdict.message} (${spellStatus(status)})`;
}
