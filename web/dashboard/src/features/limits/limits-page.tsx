import { useHere } from "../../data/here.tsx";
import { useApi } from "../../data/queries.ts";
import { SuspendedNote } from "../../parts/notes/suspended-note.tsx";
import { Loaded, Page } from "../../parts/pages/page.tsx";
import { useWords } from "../../words/language.tsx";
import { shared } from "../../words/shared.ts";
import { limitWords } from "./limits.words.ts";
import { LimitsForm } from "./limits-form.tsx";
import { Paused } from "./paused.tsx";
import { Spend } from "./spend.tsx";
import "./limits.css";

/** Single messages have no events here. */
const everyMs = 15_000;

export default function LimitsPage() {
  const words = useWords(limitWords);
  const all = useWords(shared);
  const here = useHere();
  const limits = useApi("GET /api/v1/projects/{projectId}/messaging-limits");
  const spend = useApi("GET /api/v1/projects/{projectId}/messaging-spend", { every: everyMs });
  const notes = [words.text, ...(here.livemode ? [] : [words.inTest]), ...(here.may("settings") ? [] : [words.readOnly])];
  return (
    <Page title={words.title}>
      <SuspendedNote />
      <p className="soft">{all.inARow(...notes)}</p>
      <Paused />
      <Loaded read={spend}>{(loaded) => <Spend spend={loaded} />}</Loaded>
      <Loaded read={limits}>{(loaded) => <LimitsForm limits={loaded} />}</Loaded>
    </Page>
  );
}
