import {
  at,
  callProvider,
  type GatewayCall,
  GatewayError,
  type GatewayErrorKind,
  kindOfStatus,
  malformedAnswer,
  readObject,
  retryAfterOf,
  textAt,
} from "#gateways/index.ts";

export interface Credentials {
  keyId: string;
  keySecret: string;
}

export interface RazorpayRequest {
  method: "GET" | "POST";
  /** Relative to `/v1`. */
  path: string;
  body?: unknown;
  headers?: Record<string, string>;
}

/** Only Razorpay's message shows the meaning: nearly everything is a BAD_REQUEST_ERROR with status 400. */
const sentences: readonly [RegExp, GatewayErrorKind][] = [
  [/does not exist|is not a valid id/i, "not_found"],
  // A refund that was made may be why it is refused again: only the payment's refunds tell.
  [/different request with the same idempotency key|duplicate receipt|already been processed/i, "conflict"],
  [/fully refunded|status should be captured/i, "conflict"],
  [/operation\b.{0,30}\bis in progress/i, "rate_limited"],
  [/already (paid|partially)|already paid/i, "already_paid"],
  [/greater than (the )?amount captured|enough balance|insufficient balance|6 months/i, "declined"],
];

/** How long a payment is left alone while another operation on it is in progress. */
const busySeconds = 5;

/** Calls Razorpay and returns the object in the response. Throws `GatewayError`. */
export async function ask(
  call: GatewayCall,
  { keyId, keySecret }: Credentials,
  request: RazorpayRequest,
): Promise<Record<string, unknown>> {
  const changes = request.method === "POST";
  const answer = await callProvider(call, {
    method: request.method,
    path: `/v1${request.path}`,
    headers: {
      authorization: `Basic ${Buffer.from(`${keyId}:${keySecret}`).toString("base64")}`,
      accept: "application/json",
      "content-type": "application/json",
      ...request.headers,
    },
    ...(request.body === undefined ? {} : { body: JSON.stringify(request.body) }),
    changes,
  });
  if (answer.status >= 200 && answer.status < 300) return readObject(answer.text, changes);
  const error = objectOrNull(answer.text);
  const description = textAt(error, "error", "description");
  const reason = textAt(error, "error", "reason");
  const code = reason === null || reason === "NA" ? (textAt(error, "error", "code") ?? String(answer.status)) : reason;
  const kind = kindOf(answer.status, description, changes);
  const isBusy = kind === "rate_limited" && answer.status === 400;
  throw new GatewayError(kind, {
    code: code.slice(0, 100),
    message: description === null ? `Razorpay responded with ${answer.status}.` : description.slice(0, 300),
    retryAfter: retryAfterOf(answer.headers) ?? (isBusy ? busySeconds : null),
    isBusy,
  });
}

/** The items of a collection. Throws `GatewayError`, also for a response without them: it isn't an empty collection. */
export async function askForItems(call: GatewayCall, credentials: Credentials, path: string): Promise<unknown[]> {
  const items = at(await ask(call, credentials, { method: "GET", path }), "items");
  if (!Array.isArray(items)) throw malformedAnswer(false);
  return items;
}

function kindOf(status: number, description: string | null, changes: boolean): GatewayErrorKind {
  const known = status === 400 || status === 409 ? sentences.find(([sentence]) => sentence.test(description ?? ""))?.[1] : undefined;
  if (known !== undefined) return known;
  // The same request is being carried out at this moment.
  return status === 409 ? "unknown_outcome" : kindOfStatus(status, changes);
}

/** An error may come from a proxy in front of Razorpay, as an HTML page: then only its status means something. */
function objectOrNull(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
