import { callProvider, type GatewayCall, GatewayError, kindOfStatus, malformedAnswer, readObject, retryAfterOf } from "#gateways/index.ts";
import type { AlipayCredentials } from "./credentials.ts";
import { isSignedBy, memberText, requestContent, signContent } from "./signature.ts";
import { beijingTime, fieldsOf, kindOf } from "./wire.ts";

/** A request to Alipay's gateway. */
export interface GatewayRequest {
  method: string;
  /** The content of `biz_content`. */
  content: Readonly<Record<string, unknown>>;
  /** Protocol parameters next to it: `notify_url`, `return_url`. */
  params?: Readonly<Record<string, string>>;
  /** Whether it pays out money. Then an unsigned refusal doesn't prove that it didn't. */
  paysOut?: boolean;
}

/** Returns every parameter of a request, signed. */
export function signedParams(
  call: GatewayCall,
  credentials: AlipayCredentials,
  { method, content, params = {} }: GatewayRequest,
): Record<string, string> {
  const { appId, privateKey, certificates } = credentials;
  const unsigned: Record<string, string> = {
    app_id: appId,
    method,
    format: "JSON",
    charset: "utf-8",
    sign_type: "RSA2",
    timestamp: beijingTime(call.now()),
    version: "1.0",
    ...(certificates === null ? {} : { app_cert_sn: certificates.appCertSn, alipay_root_cert_sn: certificates.rootCertSn }),
    ...params,
    biz_content: JSON.stringify(content),
  };
  return { ...unsigned, sign: signContent(requestContent(unsigned), privateKey) };
}

/** Encodes parameters for a query or a form. */
export function encodeParams(params: Readonly<Record<string, string>>): string {
  return Object.entries(params)
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
    .join("&");
}

/**
 * Calls Alipay's gateway and returns its response once the signature over exactly these bytes is verified. Throws `GatewayError`, also if
 * the gateway refuses; an unsigned response is trusted only if it refuses a request before carrying it out, and never about a refund.
 */
export async function callAlipay(
  call: GatewayCall,
  credentials: AlipayCredentials,
  request: GatewayRequest & { changes: boolean },
): Promise<Readonly<Record<string, unknown>>> {
  const { biz_content = "", ...protocol } = signedParams(call, credentials, request);
  const { changes } = request;
  const answer = await callProvider(call, {
    method: "POST",
    path: `/gateway.do?${encodeParams(protocol)}`,
    headers: { "content-type": "application/x-www-form-urlencoded;charset=utf-8", accept: "application/json" },
    body: encodeParams({ biz_content }),
    changes,
  });
  const requestId = answer.headers.get("trace_id");
  if (answer.status !== 200) {
    const kind = kindOfStatus(answer.status, changes);
    throw new GatewayError(kind, {
      code: `http_${answer.status}`,
      message: "Alipay couldn't respond.",
      requestId,
      retryAfter: retryAfterOf(answer.headers),
    });
  }
  const verified = readAnswer(answer.text, credentials, { ...request, requestId });
  const { code, subCode } = codesOf(verified.content);
  if (code === "10000") return verified.content;
  if (code === "") throw malformedAnswer(changes, requestId);
  // If the gateway itself refuses, its message repeats the whole request.
  const reason = verified.isVerified && code === "40004" ? fieldsOf(verified.content)("sub_msg") : null;
  const message = reason === null ? "Alipay refused the request." : `Alipay refused the request: ${reason.slice(0, 200)}`;
  throw new GatewayError(kindOf({ code, subCode, changes }), { code: subCode === "" ? code : subCode, message, requestId });
}

interface VerifiedAnswer {
  content: Readonly<Record<string, unknown>>;
  isVerified: boolean;
}

/** Refusals by the gateway itself, before a request is carried out. It can't sign them if it doesn't know the app. */
const refusedBefore = new Set(["20001", "40001", "40002", "40003", "40005", "40006"]);

function readAnswer(
  text: string,
  credentials: AlipayCredentials,
  { method, changes, paysOut = false, requestId }: GatewayRequest & { changes: boolean; requestId: string | null },
): VerifiedAnswer {
  const whole = readObject(text, changes, requestId);
  const name = [`${method.replaceAll(".", "_")}_response`, "error_response"].find((one) => Object.hasOwn(whole, one));
  const signed = name === undefined ? null : memberText(text, name);
  if (signed === null) throw malformedAnswer(changes, requestId);
  // Parsed from the verified text, so that no other part of the response is used.
  const content = readObject(signed, changes, requestId);
  const { sign, alipay_cert_sn: certificateSn } = whole;
  const key = credentials.alipayKeys.get(credentials.certificates !== null && typeof certificateSn === "string" ? certificateSn : "");
  const isVerified = typeof sign === "string" && key !== undefined && isSignedBy(signed, sign, key);
  if (!isVerified && (paysOut || !refusedBefore.has(codesOf(content).code))) {
    const message = "Alipay's response isn't signed with this account's Alipay public key or certificate.";
    throw new GatewayError(changes ? "unknown_outcome" : "unavailable", { code: "signature", message, requestId });
  }
  return { content, isVerified };
}

function codesOf(content: Readonly<Record<string, unknown>>): { code: string; subCode: string } {
  const field = fieldsOf(content);
  return { code: field("code") ?? "", subCode: field("sub_code") ?? "" };
}
