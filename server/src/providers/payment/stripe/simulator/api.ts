import type { SimulatorWorld } from "#gateways/index.ts";
import { ApiError, noSuch } from "./answers.ts";
import { type Account, findAny, listOf, shown, type Thing } from "./documents.ts";
import { fixedAccount } from "./fixed-fields.ts";
import { type Form, readForm, textAt, textsAt } from "./form.ts";
import { createRefund } from "./refunds.ts";
import { createSession, expireOnRequest, findSession, listSessions } from "./sessions.ts";

export interface ApiRequest {
  method: string;
  /** Starts with `/v1`, without the query. */
  path: string;
  query: string;
  body: string;
}

/** Carries out one request of an account. Throws `ApiError`. */
export async function carryOut(world: SimulatorWorld, account: Account, request: ApiRequest): Promise<unknown> {
  const { method, path, query, body } = request;
  const form = readForm(method === "GET" ? query : body);
  const [, , ...parts] = path.split("/");
  const place = `${method} ${parts.map((part) => (/^[a-z]+_[A-Za-z0-9_]+$/.test(part) && !names.has(part) ? "*" : part)).join("/")}`;
  const id = parts.find((part) => /^[a-z]+_[A-Za-z0-9_]+$/.test(part) && !names.has(part)) ?? "";
  const answer = await answerAt(world, account, { place, id, form });
  const expand = Object.values(textsAt(form, "expand"));
  for (const field of expand) await expandField(world, account.id, { answer, path: field.split(".") });
  return answer;
}

/** Parts of paths that look like ids. */
const names = new Set(["balance_transactions", "payment_intents"]);

interface Place {
  place: string;
  id: string;
  form: Form;
}

async function answerAt(world: SimulatorWorld, account: Account, { place, id, form }: Place): Promise<Record<string, unknown>> {
  const owner = account.id;
  switch (place) {
    case "GET account":
      return accountShown(account);
    case "GET balance":
      return { object: "balance", available: [], pending: [], livemode: false };
    case "POST checkout/sessions":
      return shown(await createSession(world, account, form));
    case "GET checkout/sessions":
      return pageOf(await listSessions(world, owner), form, "/v1/checkout/sessions");
    case "GET checkout/sessions/*":
      return shown(await findSession(world, owner, id));
    case "POST checkout/sessions/*/expire":
      return shown(await expireOnRequest(world, await findSession(world, owner, id)));
    case "POST refunds":
      return shown(await createRefund(world, account, form));
    case "GET refunds":
      return pageOf(await refundsOf(world, owner, form), form, "/v1/refunds");
    case "GET balance_transactions":
      return pageOf(await listOf(world, "balance_transaction", owner), form, "/v1/balance_transactions");
    case "GET refunds/*":
    case "GET payment_intents/*":
    case "GET charges/*":
    case "GET disputes/*":
    case "GET events/*":
    case "GET balance_transactions/*":
      return shown(await findOr404(world, owner, id));
    default:
      throw new ApiError(404, `Unrecognized request URL (${place}).`, { isBefore: true });
  }
}

function accountShown({ id, label }: Account): Record<string, unknown> {
  const { settings, ...fixed } = fixedAccount;
  return { id, object: "account", ...fixed, settings: { ...settings, dashboard: { display_name: label, timezone: "Etc/UTC" } } };
}

async function findOr404(world: SimulatorWorld, owner: string, id: string): Promise<Thing> {
  const found = await findAny(world, owner, id);
  if (found === null) throw noSuch("object", id);
  return found;
}

async function refundsOf(world: SimulatorWorld, owner: string, form: Form): Promise<Thing[]> {
  const intent = textAt(form, "payment_intent");
  const charge = textAt(form, "charge");
  const all = await listOf(world, "refund", owner);
  return all.filter((refund) => (intent ?? refund.payment_intent) === refund.payment_intent && (charge ?? refund.charge) === refund.charge);
}

/** A page of a list, newest first. */
function pageOf(all: Thing[], form: Form, url: string): Record<string, unknown> {
  const limit = Number(textAt(form, "limit") ?? "10");
  if (!Number.isInteger(limit) || limit < 1 || limit > 100)
    throw new ApiError(400, "limit must be between 1 and 100", { param: "limit", isBefore: true });
  const bounds = textsAt(form, "created");
  const isInside = ({ created }: Thing) =>
    created >= Number(bounds["gte"] ?? 0) &&
    created > Number(bounds["gt"] ?? -1) &&
    created < Number(bounds["lt"] ?? Number.POSITIVE_INFINITY) &&
    created <= Number(bounds["lte"] ?? Number.POSITIVE_INFINITY);
  // Documents are listed oldest first, and those of the same second keep their order.
  const newest = all.filter(isInside).reverse();
  const after = textAt(form, "starting_after");
  const start = after === null ? 0 : newest.findIndex(({ id }) => id === after) + 1;
  const page = newest.slice(start, start + limit);
  return { object: "list", data: page.map(shown), has_more: start + limit < newest.length, url };
}

interface Expansion {
  answer: unknown;
  path: readonly string[];
}

/** Replaces ids with whole objects, along a path. */
async function expandField(world: SimulatorWorld, owner: string, { answer, path }: Expansion): Promise<void> {
  const [field, ...rest] = path;
  if (field === undefined || typeof answer !== "object" || answer === null) return;
  const fields = answer as Record<string, unknown>;
  const value = fields[field];
  if (Array.isArray(value)) {
    for (const item of value) await expandField(world, owner, { answer: item, path: rest });
    return;
  }
  if (typeof value === "string") {
    const found = await findAny(world, owner, value);
    if (found !== null) fields[field] = shown(found);
  }
  await expandField(world, owner, { answer: fields[field], path: rest });
}

/** What an Idempotency-Key stores of a request. */
export function fingerprintOf({ method, path, body }: ApiRequest): string {
  return `${method} ${path} ${body}`;
}
