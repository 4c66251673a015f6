import { useHere } from "../../data/here.tsx";
import { useApi } from "../../data/queries.ts";
import { Loaded, Page } from "../../parts/page.tsx";
import { SuspendedNote } from "../../parts/suspended-note.tsx";
import { useWords } from "../../words/language.tsx";
import { limitWords } from "./limits.words.ts";
import { LimitsForm } from "./limits-form.tsx";
import { Paused } from "./paused.tsx";
import { Reach } from "./reach.tsx";
import { Spend } from "./spend.tsx";
import "./limits.css";

const everyMs = 15_000;

export default function LimitsPage() {
  const words = useWords(limitWords);
  const here = useHere();
  const limits = useApi("GET /api/v1/projects/{projectId}/messaging-limits");
  const spend = useApi("GET /api/v1/projects/{projectId}/messaging-spend", { every: everyMs });
  return (
    <Page title={words.title}>
      <SuspendedNote />
      <p className="soft">{words.text}</p>
      {here.may("settings") ? null : <p className="note">{words.readOnly}</p>}
      <Paused />
      <Loaded read={spend}>{(loaded) => <Spend spend={loaded} />}</Loaded>
      <Loaded read={limits}>
        {(loaded) => (
          <div className="two-sides">
            <div className="side-left">
              <LimitsForm limits={loaded} />
            </div>
            <div className="side-right">
              <Reach limits={loaded} />
            </div>
          </div>
        )}
      </Loaded>
    </Page>
  );
}
