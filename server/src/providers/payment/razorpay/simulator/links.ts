import type { SimulatorWorld } from "#gateways/index.ts";
import { sendEnd } from "./events.ts";
import { type Account, type Link, putLink, Refused, seconds } from "./shapes.ts";
import { linkView, paymentView } from "./views.ts";

const quarterHour = 900;
const halfYear = 15_811_200;
const threeDecimals = new Set(["BHD", "IQD", "JOD", "KWD", "OMR", "TND"]);

export interface Api {
  world: SimulatorWorld;
  account: Account;
  request: Request;
  /** The body as received, and the JSON in it. */
  text: string;
  body: Record<string, unknown>;
}

/** POST /v1/payment_links */
export async function createLink(api: Api): Promise<Response> {
  const { world, account } = api;
  const link = readLink(api);
  const all = await world.documents.list<Link>("link");
  if (link.referenceId !== null && all.some((one) => one.account === account.name && one.referenceId === link.referenceId)) {
    throw new Refused(400, "payment link creation with reference ID already attempted");
  }
  await putLink(world, link);
  return Response.json(linkView(world, link));
}

function readLink({ world, account, body }: Api): Link {
  const [amount, currency, now] = [body["amount"], body["currency"] ?? "INR", seconds(world)];
  if (typeof amount !== "number" || !Number.isSafeInteger(amount)) throw new Refused(400, "The amount must be an integer.");
  if (typeof currency !== "string" || !/^[A-Z]{3}$/.test(currency)) throw new Refused(400, "The currency is invalid.");
  if (amount < 100) throw new Refused(400, "The amount must be atleast INR 1.00");
  if (threeDecimals.has(currency) && amount % 10 !== 0) throw new Refused(400, "The last decimal of the amount must be 0.");
  const expireBy = body["expire_by"] ?? now + halfYear;
  if (typeof expireBy !== "number" || !Number.isSafeInteger(expireBy)) throw new Refused(400, "expire_by must be an integer.");
  if (expireBy < now + quarterHour) throw new Refused(400, "timestamp must be atleast 15 minutes in future");
  if (expireBy > now + halfYear) throw new Refused(400, "expire_by cannot exceed more than six months");
  const callbackUrl = textOf(body["callback_url"], 2_048);
  if (callbackUrl !== null && body["callback_method"] !== "get") throw new Refused(400, "The callback_method is required");
  return {
    id: `plink_${world.token(14)}`,
    account: account.name,
    status: "created",
    amount,
    currency,
    ...(account.feeBearer === undefined ? {} : { feeBearer: account.feeBearer }),
    referenceId: textOf(body["reference_id"], 40),
    description: textOf(body["description"], 2_048) ?? "",
    notes: readNotes(body["notes"]),
    callbackUrl,
    expireBy,
    createdAt: now,
    endedAt: 0,
    payments: [],
    delivery: "usual",
    dispute: null,
    events: [],
  };
}

export function textOf(value: unknown, most: number): string | null {
  if (value === undefined || value === null) return null;
  if (typeof value !== "string" || value.length > most) throw new Refused(400, `value: the length must not be greater than ${most}.`);
  return value;
}

export function readNotes(value: unknown): Record<string, string> {
  const entries = typeof value === "object" && value !== null ? Object.entries(value) : [];
  if (entries.length > 15) throw new Refused(400, "Number of fields in notes should be less than or equal to 15");
  return Object.fromEntries(entries.map(([name, one]) => [name, textOf(one, 255) ?? ""]));
}

/** Returns a link by its id. An expired one ends when it's read. */
export async function findLink(world: SimulatorWorld, account: Account, id: string): Promise<Link> {
  const link = await world.documents.get<Link>("link", id);
  if (link === null || link.account !== account.name) throw new Refused(400, "The id provided does not exist");
  if (link.status === "created" && seconds(world) >= link.expireBy) await endLink(world, link, "expired");
  return link;
}

export async function endLink(world: SimulatorWorld, link: Link, status: "expired" | "cancelled"): Promise<void> {
  Object.assign(link, { status, endedAt: seconds(world) } satisfies Partial<Link>);
  await putLink(world, link);
  await sendEnd(world, link);
}

/** GET /v1/payment_links */
export async function listLinks({ world, account, request }: Api): Promise<Response> {
  const reference = new URL(request.url).searchParams.get("reference_id");
  const all = await world.documents.list<Link>("link");
  const found = all.filter((one) => one.account === account.name && (reference === null || one.referenceId === reference));
  return Response.json({ payment_links: found.map((link) => linkView(world, link)) });
}

/** GET /v1/payment_links/{id} */
export async function showLink({ world, account }: Api, id: string): Promise<Response> {
  return Response.json(linkView(world, await findLink(world, account, id)));
}

/** POST /v1/payment_links/{id}/cancel */
export async function cancelLink({ world, account }: Api, id: string): Promise<Response> {
  const link = await findLink(world, account, id);
  if (link.status === "paid") throw new Refused(400, "cannot cancel or expire an already paid/partially paid link");
  if (link.status !== "created")
    throw new Refused(400, `cannot cancel or expire ${link.status === "expired" ? "an expired" : "a cancelled"} link`);
  await endLink(world, link, "cancelled");
  return Response.json(linkView(world, link));
}

/** GET /v1/orders/{id}/payments */
export async function listTries({ world, account }: Api, id: string): Promise<Response> {
  const link = await findLink(world, account, id.replace("order_", "plink_"));
  const items = link.payments.toReversed().map((payment) => paymentView(link, payment));
  return Response.json({ entity: "collection", count: items.length, items });
}
