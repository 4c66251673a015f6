import {
  connectionError,
  garbageAnswer,
  type ProviderSimulator,
  pathIn,
  putFault,
  type SimulatedFault,
  type SimulatorWorld,
  takeFault,
} from "#gateways/index.ts";
import { fieldsOf, listCertificates, openMerchant, type SimulatedMerchant, signingKey } from "./simulator/accounts.ts";
import { announceBill, downloadBill } from "./simulator/bills.ts";
import { openCashier } from "./simulator/cashier.ts";
import { newestNotification } from "./simulator/notifications.ts";
import { authorize } from "./simulator/oauth.ts";
import { letHappen, outcomes } from "./simulator/outcomes.ts";
import { decideRefund, findRefund, placeRefund, refundJson } from "./simulator/refunds.ts";
import { inBeijing, isObject, type Json, parameterError, Refused, refuseNulls } from "./simulator/rules.ts";
import { checkAuthorization, claimedMerchant, encrypt, proofHeaders } from "./simulator/signing.ts";
import { closeOrder, findTransaction, placeOrder, type Transaction, transactionJson, type Way } from "./simulator/transactions.ts";

/** WeChat Pay's side of API v3 for direct merchants, based on its published specification. */
export const wechatpayMerchantSimulator: ProviderSimulator = {
  slug: "wechatpay_merchant",
  outcomes,
  pages: /^\/(bizpayurl|checkmweb)$/,
  // WeChat's real browser would ask the real WeChat about a simulated payment.
  notInDemo: ["app_secret"],
  openAccount: async (world, account) => fieldsOf(world, await openMerchant(world, account)),
  handle: async (world, request) => {
    const path = pathIn(world, request);
    return (await openCashier(world, request, path)) ?? (await authorize(world, request, path)) ?? answer(world, request, path);
  },
  simulate: letHappen,
  simulateRefund: decideRefund,
  breakNext: putFault,
  callbackOf: newestNotification,
};

/** An API request with a known sender. */
interface Authorized {
  merchant: SimulatedMerchant;
  method: string;
  path: string;
  query: URLSearchParams;
  /** The object of the body; null if there isn't one. */
  body: Json | null;
  /** Whether the merchant requests signatures with WeChat Pay's public key. */
  usesPublicKey: boolean;
}

interface Result {
  status: number;
  /** An object is signed; bytes are a file, which isn't. */
  content: Json | Buffer | null;
}

async function answer(world: SimulatorWorld, request: Request, path: string): Promise<Response> {
  const fault = await takeFault(world, request);
  if (fault === "refused") throw connectionError("refused");
  const merchant = await claimedMerchant(world, request);
  // There is no known key to sign this response with.
  if (merchant === null) return refusalOf(new Refused(401, "SIGN_ERROR", "商户未授权"), {});
  const usesPublicKey = (request.headers.get("wechatpay-serial") ?? "").startsWith("PUB_KEY_ID_");
  const result = await resultOf(world, { request, merchant, path, usesPublicKey, fault });
  if (fault === "lost_answer") throw connectionError("lost_answer");
  if (fault === "garbage") return garbageAnswer();
  const requestId = { "Request-ID": `08${world.token(30)}` };
  if (!(result instanceof Refused) && Buffer.isBuffer(result.content)) return new Response(new Uint8Array(result.content), { status: 200 });
  const key = await signingKey(world, merchant, usesPublicKey);
  const proof = (body: string) => ({ ...requestId, ...proofHeaders(world, body, { key, isProbe: fault === "bad_signature" }) });
  if (result instanceof Refused) return refusalOf(result, proof(bodyOfRefusal(result)));
  const body = result.content === null ? "" : JSON.stringify(result.content);
  return new Response(body === "" ? null : body, {
    status: result.status,
    headers: { "Content-Type": "application/json; charset=utf-8", ...proof(body) },
  });
}

interface Incoming {
  request: Request;
  merchant: SimulatedMerchant;
  path: string;
  usesPublicKey: boolean;
  fault: SimulatedFault | null;
}

async function resultOf(world: SimulatorWorld, { request, merchant, path, usesPublicKey, fault }: Incoming): Promise<Result | Refused> {
  try {
    const text = await request.text();
    await checkAuthorization(world, merchant, { request, body: text });
    if (fault === "server_error") throw new Refused(500, "SYSTEM_ERROR", "系统异常，请稍后重试");
    if (fault === "rate_limited") throw new Refused(429, "RATELIMIT_EXCEEDED", "请求过于频繁，请稍后再试");
    if (!request.headers.has("user-agent") || !request.headers.has("accept"))
      throw new Refused(400, "PARAM_ERROR", "Http头缺少Accept或User-Agent");
    const { searchParams: query } = new URL(request.url);
    return await carryOut(world, {
      merchant,
      method: request.method,
      path,
      query,
      body: text === "" ? null : readBody(text),
      usesPublicKey,
    });
  } catch (error) {
    if (error instanceof Refused) return error;
    throw error;
  }
}

function readBody(text: string): Json {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    throw parameterError("");
  }
  if (!isObject(body)) throw parameterError("");
  refuseNulls(body);
  return body;
}

async function carryOut(world: SimulatorWorld, request: Authorized): Promise<Result> {
  const { merchant, method, path, query } = request;
  const order = /^\/v3\/pay\/transactions\/(native|jsapi|h5)$/.exec(path)?.[1];
  if (method === "POST" && order !== undefined)
    return found(await placeOrder(world, { ...request, way: order as Way, body: request.body ?? {} }));
  const closed = /^\/v3\/pay\/transactions\/out-trade-no\/([^/]{1,64})\/close$/.exec(path)?.[1];
  if (method === "POST" && closed !== undefined) {
    if (request.body?.["mchid"] !== merchant.mchid) throw parameterError("mchid");
    await closeOrder(world, merchant, decodeURIComponent(closed));
    return { status: 204, content: null };
  }
  if (method === "POST" && path === "/v3/refund/domestic/refunds")
    return found(await placeRefund(world, { ...request, body: request.body ?? {} }));
  if (method === "GET") return found(await read(world, { merchant, path, query }));
  throw new Refused(404, "RESOURCE_NOT_EXISTS", "请求的资源不存在");
}

async function read(
  world: SimulatorWorld,
  { merchant, path, query }: Pick<Authorized, "merchant" | "path" | "query">,
): Promise<Json | Buffer> {
  if (path === "/v3/certificates") return certificatesJson(world, merchant);
  if (path === "/v3/bill/tradebill") return announceBill(world, merchant, query);
  if (path === "/v3/billdownload/file") return downloadBill(world, merchant, query);
  const [, by, number] = /^\/v3\/pay\/transactions\/(out-trade-no|id)\/([^/]{1,64})$/.exec(path) ?? [];
  if (by !== undefined && number !== undefined) {
    if (query.get("mchid") !== merchant.mchid) throw parameterError("mchid");
    const transactions = by === "id" ? await world.documents.list<Transaction>("transaction") : [];
    const named = decodeURIComponent(number);
    const one =
      by === "id" ? transactions.find(({ transactionId }) => transactionId === named) : await findTransaction(world, merchant.mchid, named);
    if (one === undefined || one === null || one.mchid !== merchant.mchid) throw new Refused(404, "ORDER_NOT_EXIST", "订单不存在");
    return transactionJson(one);
  }
  const refundNo = /^\/v3\/refund\/domestic\/refunds\/([^/]{1,64})$/.exec(path)?.[1];
  const refund = refundNo === undefined ? null : await findRefund(world, merchant.mchid, decodeURIComponent(refundNo));
  if (refund === null) throw new Refused(404, "RESOURCE_NOT_EXISTS", "退款单不存在");
  return refundJson(refund);
}

async function certificatesJson(world: SimulatorWorld, merchant: SimulatedMerchant): Promise<Json> {
  const { apiV3Key } = merchant;
  const data = (await listCertificates(world, merchant)).map(({ serial, pem, fromMs, toMs }) => ({
    serial_no: serial,
    effective_time: inBeijing(fromMs),
    expire_time: inBeijing(toMs),
    encrypt_certificate: encrypt(world, pem, { apiV3Key, associatedData: "certificate" }),
  }));
  return { data };
}

const found = (content: Json | Buffer): Result => ({ status: 200, content });

function bodyOfRefusal({ code, message }: Refused): string {
  return JSON.stringify({ code, message });
}

function refusalOf(refused: Refused, headers: Record<string, string>): Response {
  return new Response(bodyOfRefusal(refused), {
    status: refused.status,
    headers: { "Content-Type": "application/json; charset=utf-8", ...headers },
  });
}
