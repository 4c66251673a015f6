import type { Ctx } from "#platform/index.ts";
import { signCallback } from "#webhooks/index.ts";
import { shownIn } from "../call-events.ts";
import type { CallRow } from "../shapes.ts";
import type { Action } from "../verbs/actions.ts";
import { readActions } from "../verbs/read-actions.ts";
import type { Question } from "../verbs/script.ts";

/** The merchant's address returned no usable actions. The message tells the merchant why. */
export class NoAnswer extends Error {}

const limits = { firstByteMs: 10_000, totalMs: 10_000, bodyBytes: 64 * 1024 };

interface ActionsRequest {
  call: CallRow;
  question: Question;
  /** Counts a call's requests, from 1. */
  number: number;
}

/** Requests a call's next actions from the merchant's address; null: no new ones. Throws NoAnswer. */
export async function requestActions(ctx: Ctx, { call, question, number }: ActionsRequest): Promise<Action[] | null> {
  const { url, reason, digits, recording } = question;
  const about = { call: { ...shownIn(call), project_id: call.project_id, livemode: call.livemode } };
  const payload = { ...about, reason, ...(digits === undefined ? {} : { digits }), ...(recording === undefined ? {} : { recording }) };
  const body = Buffer.from(JSON.stringify(payload));
  const headers = await signCallback(ctx, call, { id: `${call.id}.${number}`, body });
  const owner = `actions ${call.project_id} ${call.livemode}`;
  const exchange = await ctx.egress.request({ url, method: "POST", headers, body, owner, limits });
  if (exchange.status === null) throw new NoAnswer(`Your address couldn't be reached: ${exchange.error_code}.`);
  if (exchange.status < 200 || exchange.status > 299) throw new NoAnswer(`Your address returned ${exchange.status}.`);
  if (exchange.truncated) throw new NoAnswer("The response is larger than 64 KiB.");
  return actionsIn(exchange.body);
}

/** The actions of a response; null if it contains none. */
function actionsIn(body: Buffer): Action[] | null {
  if (body.length === 0) return null;
  const given = parsed(body);
  if (typeof given !== "object" || given === null || Array.isArray(given)) throw new NoAnswer("The response isn't a JSON object.");
  const { actions } = given as { actions?: unknown };
  if (actions == null) return null;
  if (Array.isArray(actions) && actions.length === 0) return [];
  const read = readActions(actions);
  const [fault] = read.faults;
  if (fault !== undefined) throw new NoAnswer(`The response has invalid actions: ${fault.param}: ${fault.message}`);
  return read.actions;
}

function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString("utf8"));
  } catch {
    throw new NoAnswer("The response isn't JSON.");
  }
}
