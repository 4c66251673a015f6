import Type from "typebox";
import { type AttemptRow, attemptResults } from "#email/index.ts";
import { isoOf } from "#platform/index.ts";
import { flag, idOf, instant, instantOrNull, integer, oneOf, shape, text, textOrNull } from "../fields/fields.ts";

export const shownResults = attemptResults.map((result) => (result === "started" ? "sending" : result));

export type EmailAttemptShape = ReturnType<typeof showEmailAttempt>;

export const emailAttemptSchema = shape("EmailAttempt", "One attempt to hand one recipient's copy over, and what the other server said.", {
  id: text("The attempt's id.", ["dlv_01kafq3v8e0000000000000000.1"]),
  object: oneOf(["email_attempt"], "Always `email_attempt`."),
  project_id: idOf("prj", "The project."),
  livemode: flag("False in the TEST environment."),
  email_id: idOf("em", "The message."),
  recipient: text("Whose copy it was.", ["ada@example.com"]),
  attempt: integer("Counts from 1 for each recipient."),
  result: oneOf(
    shownResults,
    "`accepted`, `deferred` (tried again later), `refused`, `unknown` (the connection was lost after the message was sent), `worker_lost` (our process died; it is sent again) or `sending` while it is under way.",
  ),
  provider: textOrNull("What carried it."),
  remote: textOrNull("The server that answered."),
  smtp_code: Type.Unsafe<number | null>({ type: ["integer", "null"], description: "Its answer; null when there was none.", examples: [451] }),
  enhanced_code: textOrNull("Its enhanced status code, such as `4.7.1`."),
  diagnostic: textOrNull("Its words, or why it could not be reached."),
  created_at: instant("When it began."),
  finished_at: instantOrNull("When it ended."),
});

export function showEmailAttempt(row: AttemptRow) {
  const { id, project_id, livemode, email_id, recipient, attempt, result, provider, remote, smtp_code, enhanced_code, diagnostic } = row;
  const told = { provider, remote, smtp_code, enhanced_code, diagnostic };
  const times = { created_at: isoOf(row.created_at), finished_at: isoOf(row.finished_at) };
  return {
    id,
    object: "email_attempt" as const,
    project_id,
    livemode,
    email_id,
    recipient,
    attempt,
    result: result === "started" ? ("sending" as const) : result,
    ...told,
    ...times,
  };
}
