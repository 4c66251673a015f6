import {
  type BuyerIdentity,
  callProvider,
  type GatewayCall,
  GatewayError,
  type GatewayErrorKind,
  kindOfStatus,
  malformedAnswer,
} from "#gateways/index.ts";
import type { Merchant } from "./credentials.ts";
import { userAgent } from "./platform-keys.ts";
import { parseWire, text, type Wire } from "./wire.ts";

/** The payment page's name for WeChat's own browser on a phone. */
export const inWechat = "wechat";

/** How WeChat identifies the buyer: silently, and only by openid. null without the service account's secret. */
export function identityOf({ appid, appSecret }: Merchant): BuyerIdentity | null {
  if (appSecret === null) return null;
  return {
    isWanted: (device) => device === inWechat,
    addressOf: ({ baseUrl }, { returnUrl, state }) => {
      // WeChat matches the address against a pattern: these parameters in this order, and the fragment at the end.
      const params = [
        `appid=${appid}`,
        `redirect_uri=${encodeURIComponent(returnUrl)}`,
        "response_type=code",
        "scope=snsapi_base",
        `state=${state}`,
      ];
      return `${hostOf(baseUrl, "open")}/connect/oauth2/authorize?${params.join("&")}#wechat_redirect`;
    },
    read: (call, query) => readOpenid(call, { appid, appSecret, code: query["code"] ?? "" }),
  };
}

/** Identification uses other hosts than payments. A simulator that replaces WeChat Pay replaces them too. */
function hostOf(baseUrl: string, name: "open" | "api"): string {
  const { hostname } = new URL(baseUrl);
  return hostname === "mch.weixin.qq.com" || hostname.endsWith(".mch.weixin.qq.com") ? `https://${name}.weixin.qq.com` : baseUrl;
}

async function readOpenid(
  call: GatewayCall,
  { appid, appSecret, code }: { appid: string; appSecret: string; code: string },
): Promise<string> {
  if (!/^[0-9A-Za-z_-]{1,512}$/.test(code))
    throw new GatewayError("conflict", { code: "no_code", message: "WeChat sent the buyer back without a code." });
  const path = `/sns/oauth2/access_token?appid=${appid}&secret=${appSecret}&code=${code}&grant_type=authorization_code`;
  const headers = { accept: "application/json", "user-agent": userAgent };
  const answer = await callProvider({ ...call, baseUrl: hostOf(call.baseUrl, "api") }, { method: "GET", path, headers, changes: false });
  if (answer.status !== 200)
    throw new GatewayError(kindOfStatus(answer.status, false), { code: `http_${answer.status}`, message: refused });
  const wire = parseWire(answer.text);
  const openid = wire === null ? null : text(wire, "openid");
  if (openid !== null && /^[0-9A-Za-z_-]{6,128}$/.test(openid)) return openid;
  throw wire === null || openid !== null ? malformedAnswer(false) : refusalOf(wire);
}

const refused = "WeChat didn't identify the buyer.";

/** The meaning of WeChat's numeric codes here. A wrong secret doesn't make the payment account's own credentials wrong. */
const kinds: Readonly<Record<number, GatewayErrorKind>> = {
  [-1]: "unavailable",
  40029: "conflict",
  40163: "conflict",
  42003: "conflict",
  45009: "rate_limited",
  45011: "rate_limited",
};
const known: Readonly<Record<number, string>> = {
  40013: "WeChat doesn't know the AppID.",
  40029: "The code the buyer came back with isn't valid.",
  40125: "The AppSecret is wrong.",
  40163: "The code that the buyer came back with was used before.",
  42003: "The code that the buyer came back with is too old.",
  48001: "The official account isn't allowed to identify its visitors: it must be a verified service account.",
};

function refusalOf(wire: Wire): GatewayError {
  const number = wire["errcode"];
  if (typeof number !== "number" || !Number.isInteger(number)) return malformedAnswer(false);
  return new GatewayError(kinds[number] ?? "invalid", { code: String(number), message: known[number] ?? refused });
}
