import Type from "typebox";
import { type AttemptRow, attemptResults } from "#email/index.ts";
import { isoOf } from "#platform/index.ts";
import { flag, idOf, instant, instantOrNull, integer, oneOf, shape, text, textOrNull } from "../fields/fields.ts";

export const shownResults = attemptResults.map((result) => (result === "started" ? "sending" : result));

export type EmailAttemptShape = ReturnType<typeof showEmailAttempt>;

export const emailAttemptSchema = shape("EmailAttempt", "One attempt to deliver one recipient's copy, with the other server's response.", {
  id: text("The attempt's ID.", ["dlv_01kafq3v8e0000000000000000.1"]),
  object: oneOf(["email_attempt"], "Always `email_attempt`."),
  project_id: idOf("prj", "The project."),
  livemode: flag("False in TEST."),
  email_id: idOf("em", "The message."),
  recipient: text("The recipient.", ["ada@example.com"]),
  attempt: integer("Counts from 1 for each recipient."),
  result: oneOf(
    shownResults,
    "`accepted`, `deferred` (will be retried), `refused`, `unknown` (the connection was lost after the message was sent), `worker_lost` (our process died; it will be sent again) or `sending` while in progress.",
  ),
  provider: textOrNull("The transport that carried it."),
  remote: textOrNull("The server that responded."),
  smtp_code: Type.Unsafe<number | null>({
    type: ["integer", "null"],
    description: "Its response code; null if there was none.",
    examples: [451],
  }),
  enhanced_code: textOrNull("Its enhanced status code, such as `4.7.1`."),
  diagnostic: textOrNull("Its response text, or why it couldn't be reached."),
  created_at: instant("When it started."),
  finished_at: instantOrNull("When it ended."),
});

export function showEmailAttempt(row: AttemptRow) {
  const { id, project_id, livemode, email_id, recipient, attempt, result, provider, remote, smtp_code, enhanced_code, diagnostic } = row;
  const response = { provider, remote, smtp_code, enhanced_code, diagnostic };
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
    ...response,
    ...times,
  };
}
