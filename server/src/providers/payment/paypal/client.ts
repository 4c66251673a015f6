import {
  at,
  callProvider,
  type GatewayCall,
  GatewayError,
  type GatewayErrorKind,
  kindOfStatus,
  listAt,
  malformedAnswer,
  type ProviderAnswer,
  readObject,
  retryAfterOf,
  textAt,
} from "#gateways/index.ts";

export interface Credentials {
  clientId: string;
  clientSecret: string;
}

export interface PayPalRequest {
  method: "GET" | "POST";
  path: string;
  body?: unknown;
  /** PayPal carries out only one request with this id. */
  requestId?: string;
}

/** PayPal's codes whose meaning their status doesn't show. */
const kinds: ReadonlyMap<string, GatewayErrorKind> = new Map(
  Object.entries({
    PREVIOUS_REQUEST_IN_PROGRESS: "unknown_outcome",
    ORDER_COMPLETION_IN_PROGRESS: "unknown_outcome",
    ORDER_ALREADY_CAPTURED: "already_paid",
    // An invoice number is paid only once per account: another order with our reference was paid.
    DUPLICATE_INVOICE_ID: "already_paid",
    PAYEE_ACCOUNT_INVALID: "declined",
    PAYEE_ACCOUNT_LOCKED_OR_CLOSED: "declined",
    PAYEE_ACCOUNT_RESTRICTED: "declined",
    PAYER_ACCOUNT_LOCKED_OR_CLOSED: "declined",
    CAPTURE_FULLY_REFUNDED: "declined",
    MAX_NUMBER_OF_REFUNDS_EXCEEDED: "declined",
    PARTIAL_REFUND_NOT_ALLOWED: "declined",
    PENDING_CAPTURE: "declined",
    REFUND_AMOUNT_EXCEEDED: "declined",
    REFUND_AMOUNT_TOO_LOW: "declined",
    REFUND_FAILED_INSUFFICIENT_FUNDS: "declined",
    REFUND_IS_RESTRICTED: "declined",
    REFUND_NOT_ALLOWED: "declined",
    REFUND_NOT_PERMITTED_DUE_TO_CHARGEBACK: "declined",
    REFUND_TIME_LIMIT_EXCEEDED: "declined",
    TRANSACTION_DISPUTED: "declined",
    TRANSACTION_REFUSED: "declined",
  }),
);

/** Calls PayPal with an access token and returns the object in the response. Throws `GatewayError`. */
export async function ask(call: GatewayCall, credentials: Credentials, request: PayPalRequest): Promise<Record<string, unknown>> {
  const first = await send(call, request, call.cache.get(tokenKey) ?? (await fetchToken(call, credentials)));
  // A token can be revoked early; a request refused because of its token wasn't carried out.
  const answer = first.status === 401 ? await send(call, request, await fetchToken(call, credentials)) : first;
  return read(answer, request.method === "POST");
}

const tokenKey = "token";

/** Fetches a new access token, which fails with kind `auth` on wrong credentials, and caches it until a minute before it expires. */
export async function fetchToken(call: GatewayCall, { clientId, clientSecret }: Credentials): Promise<string> {
  const answer = await callProvider(call, {
    method: "POST",
    path: "/v1/oauth2/token",
    headers: {
      authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString("base64")}`,
      accept: "application/json",
      "content-type": "application/x-www-form-urlencoded",
    },
    body: "grant_type=client_credentials",
    changes: false,
  });
  const granted = read(answer, false);
  const token = textAt(granted, "access_token");
  const seconds = at(granted, "expires_in");
  if (token === null || typeof seconds !== "number" || !Number.isFinite(seconds)) throw malformedAnswer(false, debugIdOf(answer));
  if (seconds > 60) call.cache.set(tokenKey, token, Math.floor(seconds) - 60);
  return token;
}

function send(call: GatewayCall, { method, path, body, requestId }: PayPalRequest, token: string): Promise<ProviderAnswer> {
  return callProvider(call, {
    method,
    path,
    headers: {
      authorization: `Bearer ${token}`,
      accept: "application/json",
      "content-type": "application/json",
      prefer: "return=representation",
      ...(requestId === undefined ? {} : { "paypal-request-id": requestId }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    changes: method === "POST",
  });
}

function read(answer: ProviderAnswer, changes: boolean): Record<string, unknown> {
  const requestId = debugIdOf(answer);
  if (answer.status >= 200 && answer.status < 300) return readObject(answer.text, changes, requestId);
  const body = objectOrNull(answer.text);
  const detail = listAt(body, "details")[0];
  const code = textAt(detail, "issue") ?? textAt(body, "name") ?? textAt(body, "error") ?? String(answer.status);
  const description = textAt(detail, "description") ?? textAt(body, "message") ?? textAt(body, "error_description");
  throw new GatewayError(kinds.get(code) ?? kindOfStatus(answer.status, changes), {
    code: code.slice(0, 100),
    message: description === null ? `PayPal responded with ${answer.status}.` : description.slice(0, 300),
    requestId,
    retryAfter: retryAfterOf(answer.headers),
  });
}

/** An error may come from a proxy in front of PayPal, as an HTML page: then only its status means something. */
function objectOrNull(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

const debugIdOf = ({ headers }: ProviderAnswer) => headers.get("paypal-debug-id");
