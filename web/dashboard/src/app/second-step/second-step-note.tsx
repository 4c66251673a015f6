import { IconShieldLock } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { useHere } from "../../data/here.tsx";
import { When } from "../../parts/shown/when.tsx";
import { useWords } from "../../words/language.tsx";
import { secondStepWords } from "./second-step.words.ts";

/** Shows an operator without a second step until when they can continue. */
export function SecondStepNote() {
  const words = useWords(secondStepWords);
  const here = useHere();
  const { second_step_due_at: due, has_second_step } = here.me;
  if (due === null || has_second_step) return null;
  const isClosed = new Date(due) <= new Date();
  return (
    <div className="note" data-tone={isClosed ? "failed" : undefined} role="status">
      <IconShieldLock size={20} stroke={1.5} aria-hidden />
      <div>
        <p>
          <strong>{words.operator}</strong>
        </p>
        <p>
          {isClosed ? (
            words.operatorClosed
          ) : (
            <>
              {words.operatorFrom} <When at={due} long />
            </>
          )}
        </p>
        <p>
          <Link to={here.to("/security")}>{words.turnOn}</Link>
        </p>
      </div>
    </div>
  );
}
