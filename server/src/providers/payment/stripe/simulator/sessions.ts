import type { SimulatorWorld } from "#gateways/index.ts";
import { ApiError, noSuch } from "./answers.ts";
import { type Account, find, keep, listOf, newThing, type Session, secondsOf } from "./documents.ts";
import { emit } from "./events.ts";
import { type Form, numberAt, textAt, textsAt } from "./form.ts";

const bad = (message: string, param: string, code?: string) =>
  new ApiError(400, message, { param, isBefore: true, ...(code === undefined ? {} : { code }) });

/** The published minimum charges of the most common currencies. */
const least: Readonly<Record<string, number>> = {
  usd: 50,
  eur: 50,
  gbp: 30,
  cad: 50,
  chf: 50,
  jpy: 50,
  sek: 300,
  dkk: 250,
  pln: 200,
  hkd: 400,
  sgd: 50,
};
const wholeHundreds = ["isk", "ugx"];
const lastDigitZero = ["bhd", "jod", "kwd", "omr", "tnd"];

export async function createSession(world: SimulatorWorld, account: Account, form: Form): Promise<Session> {
  const amount = amountOf(form);
  const currency = textAt(form, "line_items", "0", "price_data", "currency") ?? "";
  if (textAt(form, "mode") !== "payment") throw bad("You must pass a `mode`; this simulator has `payment`.", "mode");
  const title = textAt(form, "line_items", "0", "price_data", "product_data", "name");
  if (title === null || title === "") throw bad("You must name what is sold.", "line_items[0][price_data][product_data][name]");
  const success_url = urlOf(form, "success_url");
  const thing = newThing(world, account.id, { object: "checkout.session", prefix: "cs_test" });
  const session: Session = {
    ...thing,
    status: "open",
    payment_status: "unpaid",
    mode: "payment",
    client_reference_id: textAt(form, "client_reference_id"),
    amount_subtotal: amount,
    amount_total: amount,
    currency,
    payment_intent: null,
    metadata: textsAt(form, "metadata"),
    success_url,
    cancel_url: textAt(form, "cancel_url") === null ? null : urlOf(form, "cancel_url"),
    expires_at: endOf(world, form),
    locale: textAt(form, "locale"),
    url: `${world.origin}/c/pay/${thing.id}`,
    hidden: {
      title,
      intentMetadata: textsAt(form, "payment_intent_data", "metadata"),
      intentDescription: textAt(form, "payment_intent_data", "description"),
    },
  };
  return keep(world, session);
}

function amountOf(form: Form): number {
  const param = "line_items[0][price_data][unit_amount]";
  const amount = numberAt(form, "line_items", "0", "price_data", "unit_amount");
  const currency = textAt(form, "line_items", "0", "price_data", "currency") ?? "";
  if (!/^[a-z]{3}$/.test(currency)) throw bad(`Invalid currency: ${currency}.`, "line_items[0][price_data][currency]");
  if (numberAt(form, "line_items", "0", "quantity") !== 1) throw bad("Quantity must be 1 here.", "line_items[0][quantity]");
  if (!Number.isSafeInteger(amount) || amount < 1) throw bad("Invalid positive integer", param, "parameter_invalid_integer");
  if (amount < (least[currency] ?? 1)) throw bad("The Checkout Session's total amount due is too small.", param, "amount_too_small");
  if (amount > (currency === "idr" ? 999_999_999_999 : 99_999_999)) throw bad("The amount has too many digits.", param, "amount_too_large");
  const isUneven = (wholeHundreds.includes(currency) && amount % 100 !== 0) || (lastDigitZero.includes(currency) && amount % 10 !== 0);
  if (isUneven)
    throw bad(`Invalid ${currency} amount: it has decimals that this currency is not charged in.`, param, "invalid_charge_amount");
  return amount;
}

function urlOf(form: Form, name: string): string {
  const text = textAt(form, name) ?? "";
  if (!/^https?:\/\//.test(text) || !URL.canParse(text)) throw bad("Not a valid URL", name, "url_invalid");
  return text;
}

function endOf(world: SimulatorWorld, form: Form): number {
  const now = secondsOf(world);
  if (textAt(form, "expires_at") === null) return now + 86_400;
  const end = numberAt(form, "expires_at");
  if (!(end >= now + 1_800))
    throw bad("The `expires_at` timestamp must be at least 30 minutes from Checkout Session creation.", "expires_at");
  if (end > now + 86_400) throw bad("The `expires_at` timestamp must be less than 24 hours from Checkout Session creation.", "expires_at");
  return end;
}

/** Returns a session in its current state: one whose time is over has expired. */
export async function findSession(world: SimulatorWorld, owner: string, id: string): Promise<Session> {
  const session = await find(world, { kind: "checkout.session", owner, id });
  if (session === null) throw noSuch("checkout.session", id);
  return upToDate(world, session);
}

/** Returns the session with our reference. Throws if there isn't one. */
export async function findByReference(world: SimulatorWorld, reference: string): Promise<Session> {
  const all = await listOf(world, "checkout.session", null);
  const session = all.findLast(({ client_reference_id }) => client_reference_id === reference);
  if (session === undefined) throw new Error(`Stripe has no Checkout Session of ${reference}`);
  return upToDate(world, session);
}

export async function listSessions(world: SimulatorWorld, owner: string): Promise<Session[]> {
  return Promise.all((await listOf(world, "checkout.session", owner)).map((session) => upToDate(world, session)));
}

async function upToDate(world: SimulatorWorld, session: Session): Promise<Session> {
  return session.status === "open" && session.expires_at <= secondsOf(world) ? expire(world, session) : session;
}

/** Expires an open session. */
export async function expire(world: SimulatorWorld, session: Session): Promise<Session> {
  const expired = await keep(world, { ...session, status: "expired", url: null });
  await emit(world, { type: "checkout.session.expired", thing: expired, reference: expired.client_reference_id });
  return expired;
}

export async function expireOnRequest(world: SimulatorWorld, session: Session): Promise<Session> {
  if (session.status === "open") return expire(world, session);
  throw new ApiError(
    400,
    `Only Checkout Sessions with a status in ["open"] can be expired. This Checkout Session has a status of \`${session.status}\`.`,
  );
}
