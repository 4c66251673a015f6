import { storable } from "#platform/index.ts";
import { callFault } from "../change/faults.ts";
import type { CallRow, CallStep } from "../shapes.ts";
import type { CallEnd } from "../transport.ts";
import type { Fault } from "../verbs/script.ts";

/** The result of a call that the network was asked to place. */
export interface CallOutcome {
  /** null: no transport had a line for it. */
  provider: string | null;
  end: CallEnd;
  at: Date;
  ringingAt: Date | null;
  answeredAt: Date | null;
  answeredBy: string | null;
  digits: string;
  gathered: Record<string, string>;
  steps: CallStep[];
  /** Why the script ended it early. */
  fault: Fault | null;
  /** This process had to release it. */
  stopped: boolean;
}

/** No line was free for a claimed call, so it waits in the queue again. */
export interface NoLine {
  retryMs: number;
}

/** Carriers' longer texts are truncated. */
const messageMax = 1_000;
const unanswered: readonly CallEnd["status"][] = ["busy", "no_answer", "failed", "canceled"];

/** The values that a call's end writes to its row. An impossible report of a transport is read as the closest possible one. */
export function endOf(outcome: CallOutcome): Partial<CallRow> {
  const { end, at, ringingAt, answeredAt, digits, provider } = outcome;
  const rang = ringingAt === null ? null : secondsOf(ringingAt, answeredAt ?? at);
  const shared = {
    provider,
    digits,
    ended_at: at,
    answered_at: answeredAt,
    sip_code: end.sip_code,
    hangup_by: end.hangup_by,
    ring_duration: rang,
  };
  if (answeredAt !== null)
    return { ...shared, status: "completed", duration: Math.max(1, secondsOf(answeredAt, at)), error: errorOf(outcome) };
  if (outcome.stopped) return { ...shared, status: "failed", error: callFault("stopped") };
  const status = unanswered.includes(end.status) && end.status !== "completed" ? end.status : "failed";
  return { ...shared, status, error: status === "failed" ? (errorOf(outcome) ?? callFault("not_placed")) : null };
}

function errorOf({ end, fault, stopped }: CallOutcome): CallRow["error"] {
  if (fault === null && stopped) return callFault("stopped");
  const error = fault ?? end.error;
  if (error === null) return null;
  const provider_code = fault !== null || end.sip_code === null ? null : String(end.sip_code);
  return { code: error.code, message: storable(error.message.slice(0, messageMax)), provider_code };
}

/** Started seconds count in full. */
function secondsOf(from: Date, to: Date): number {
  return Math.max(0, Math.ceil((to.getTime() - from.getTime()) / 1_000));
}
