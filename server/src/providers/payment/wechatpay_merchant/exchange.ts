import { callProvider, type GatewayCall, GatewayError, kindOfStatus, malformedAnswer, retryAfterOf } from "#gateways/index.ts";
import type { Merchant } from "./credentials.ts";
import { chooseSerial, findPlatformKey, targetOf, tooOften, unsignedRefusal, userAgent } from "./platform-keys.ts";
import { authorizationOf, isFresh, isSigned, readProof } from "./signature.ts";
import { errorKindOf, isTooFrequent, parseWire, text, type Wire } from "./wire.ts";

type ProviderAnswer = Awaited<ReturnType<typeof callProvider>>;

export interface MerchantRequest {
  method: "GET" | "POST";
  /** Everything after the host, including the query. */
  path: string;
  body?: Wire;
  changes: boolean;
  /** Whether it pays out money. Then an unsigned refusal doesn't prove that it didn't. */
  paysOut?: boolean;
}

/** A successful response that WeChat Pay signed: its object, or null if it has no body. */
export interface Answered {
  status: number;
  wire: Wire | null;
  requestId: string | null;
}

/** A merchant and the current call. */
export interface MerchantApi {
  merchant: Merchant;
  call: GatewayCall;
}

/** Calls WeChat Pay and only accepts signed responses. Throws `GatewayError` for every other response. */
export async function ask(api: MerchantApi, request: MerchantRequest): Promise<Answered> {
  const { merchant, call } = api;
  const { method, path, body, changes } = request;
  const serial = await chooseSerial(merchant, call);
  const json = body === undefined ? "" : JSON.stringify(body);
  const headers = { ...signedHeaders(api, { method, path, body: json }), "wechatpay-serial": serial };
  const answer = await callProvider(call, { method, path, headers, changes, ...(body === undefined ? {} : { body: json }) });
  if (!(await isProven(api, answer))) throw unproven(call, answer, request);
  if (answer.status !== 200 && answer.status !== 204) throw refusal(answer, request);
  const requestId = requestIdOf(answer);
  const wire = answer.text === "" ? null : parseWire(answer.text);
  if (wire === null && answer.text !== "") throw malformedAnswer(changes, requestId);
  return { status: answer.status, wire, requestId };
}

/** Headers of a request that the merchant signs. */
export function signedHeaders(
  { merchant, call }: MerchantApi,
  request: { method: string; path: string; body: string },
): Record<string, string> {
  const { method, path, body } = request;
  const timestamp = `${Math.floor(call.now().getTime() / 1_000)}`;
  const authorization = authorizationOf(merchant, { method, target: targetOf(call, path), body, timestamp, nonce: call.nonce() });
  return {
    accept: "application/json",
    "user-agent": userAgent,
    authorization,
    ...(body === "" ? {} : { "content-type": "application/json" }),
  };
}

async function isProven({ merchant, call }: MerchantApi, answer: ProviderAnswer): Promise<boolean> {
  const proof = readProof((name) => answer.headers.get(name));
  if (proof === null || !isFresh(proof, call.now())) return false;
  // The response has arrived: a failure to read the certificates says nothing about the request's result.
  const key = await findPlatformKey(merchant, call, proof.serial).catch(() => null);
  return key !== null && isSigned(proof, answer.text, key);
}

/**
 * A response without WeChat Pay's signature proves nothing, least of all that a payment doesn't exist or that a refund was refused. Only a
 * refusal of the merchant's keys, which WeChat Pay may be unable to sign, is believed if being wrong about it does no harm: the code of a
 * payment that was created was never shown, and one that was closed is found closed.
 */
function unproven(
  call: GatewayCall,
  answer: ProviderAnswer,
  { changes, paysOut = false }: Pick<MerchantRequest, "changes" | "paysOut">,
): GatewayError {
  const requestId = requestIdOf(answer);
  if (answer.status === 429)
    return new GatewayError("rate_limited", { code: "http_429", message: tooOften, requestId, retryAfter: retryAfterOf(answer.headers) });
  if (answer.status === 401 && !paysOut) return unsignedRefusal(call, answer, "http_401");
  const kind = changes ? "unknown_outcome" : "unavailable";
  if (!answer.headers.has("wechatpay-signature"))
    return new GatewayError(kind, { code: `http_${answer.status}`, message: notSigned, requestId });
  return new GatewayError(kind, { code: "signature", message: "The signature of WeChat Pay's response is wrong.", requestId });
}

const notSigned = "The response isn't signed by WeChat Pay.";
const maxMessageLength = 200;

/** For how long WeChat Pay refuses another refund of the same payment. */
const betweenRefundsSeconds = 60;

function refusal(answer: ProviderAnswer, { changes, paysOut = false }: Pick<MerchantRequest, "changes" | "paysOut">): GatewayError {
  const { status, headers } = answer;
  const wire = parseWire(answer.text) ?? {};
  const code = text(wire, "code") ?? `http_${status}`;
  const description = (text(wire, "message") ?? "").slice(0, maxMessageLength);
  const message = description === "" ? "WeChat Pay refused the request." : `WeChat Pay refused the request: ${description}`;
  const isBusy = paysOut && isTooFrequent(code);
  return new GatewayError(kindOf(status, code, changes), {
    code,
    message,
    requestId: requestIdOf(answer),
    retryAfter: retryAfterOf(headers) ?? (isBusy ? betweenRefundsSeconds : null),
    isBusy,
  });
}

function kindOf(status: number, code: string, changes: boolean): GatewayError["kind"] {
  if (status === 429) return "rate_limited";
  // 202: accepted, and to be repeated with the same values.
  if (status >= 500 || status < 400) return changes ? "unknown_outcome" : "unavailable";
  const kind = errorKindOf(code) ?? kindOfStatus(status, changes);
  // Only these codes say that something doesn't exist: a 404 with another code is about the address.
  return kind === "not_found" && errorKindOf(code) === null ? "invalid" : kind;
}

function requestIdOf({ headers }: ProviderAnswer): string | null {
  return headers.get("request-id");
}
