import { useHere } from "../../data/here.tsx";
import { NoMailNote } from "../../parts/notes/no-mail-note.tsx";
import { SuspendedNote } from "../../parts/notes/suspended-note.tsx";

/** What prevents sending LIVE messages: an operator, or a server that sends no email. */
export function LiveNotes() {
  const { livemode } = useHere();
  return (
    <>
      <SuspendedNote />
      {livemode ? <NoMailNote need="messages" /> : null}
    </>
  );
}
