import type { EmailTransport, Foreseen, SendOutcome } from "#email/index.ts";
import type { TransportBoard, TransportNotes } from "#messaging/index.ts";

/** An email transport and its state for operators. */
export interface WatchedMail {
  transport: EmailTransport;
  notes: TransportNotes;
}

/** Puts the email transport on this process's transport board, under the name that its messages have. */
export function watchMail(board: TransportBoard, { name, transport }: { name: string; transport: EmailTransport }): WatchedMail {
  let inFlight = 0;
  const notes = board.add({ channel: "email", name, kind: transport.name }, () => ({ inFlight, capacity: transport.concurrency }));
  const { foresee } = transport;
  const watched: EmailTransport = {
    ...transport,
    async send(outgoing, signal) {
      inFlight += 1;
      try {
        const outcome = await transport.send(outgoing, signal);
        note(notes, outcome);
        return outcome;
      } finally {
        inFlight -= 1;
      }
    },
  };
  if (foresee !== undefined) watched.foresee = async (to, signal) => noting(notes, await foresee(to, signal));
  return { notes, transport: watched };
}

function noting(notes: TransportNotes, foreseen: Foreseen): Foreseen {
  return () => {
    const outcome = foreseen();
    if (outcome !== null) note(notes, outcome);
    return outcome;
  };
}

/** A refusal or deferral for a recipient says nothing about the transport, except that a server responded. */
function note(notes: TransportNotes, { result }: SendOutcome): void {
  if (result === "held") return;
  if (result === "accepted" || result === "refused") notes.up();
  if (result === "accepted") notes.handed();
  else notes.failed(result === "unknown" ? "The connection was lost after the message was sent." : undefined);
}
