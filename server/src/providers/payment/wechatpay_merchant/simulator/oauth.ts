import type { SimulatorWorld } from "#gateways/index.ts";
import { findMerchantOfApp } from "./accounts.ts";

/** The code with which a visitor was redirected back. */
interface VisitorCode {
  appid: string;
  openid: string;
  untilMs: number;
  isUsed: boolean;
}

const codeMs = 300_000;
const tokenSeconds = 7_200;

/**
 * Web authorization of official accounts: the page that redirects a visitor back with a code, and the call that reads the code. null for
 * other addresses.
 */
export async function authorize(world: SimulatorWorld, request: Request, path: string): Promise<Response | null> {
  if (path === "/connect/oauth2/authorize") return sendBack(world, request);
  return path === "/sns/oauth2/access_token" ? readCode(world, new URL(request.url).searchParams) : null;
}

/** WeChat matches the address against a pattern, so the order of its parameters counts. A silent scope doesn't prompt the visitor. */
async function sendBack(world: SimulatorWorld, request: Request): Promise<Response> {
  const { searchParams } = new URL(request.url);
  const names = [...searchParams.keys()].join(" ");
  const of = (name: string) => searchParams.get(name) ?? "";
  const merchant = await findMerchantOfApp(world, of("appid"));
  const isKnown =
    names === "appid redirect_uri response_type scope state" && of("response_type") === "code" && of("scope") === "snsapi_base";
  if (!isKnown || !/^[0-9A-Za-z]{1,128}$/.test(of("state"))) return notice("该链接无法访问");
  if (merchant === null) return notice("AppID 参数错误");
  if (!URL.canParse(of("redirect_uri")) || !/^https?:/.test(of("redirect_uri"))) return notice("redirect_uri 参数错误");
  if (!/MicroMessenger/.test(request.headers.get("user-agent") ?? "")) return notice("请在微信客户端打开链接");
  const code = world.token(32);
  const openid = await openidOf(world, merchant.appid, visitorOf(request));
  await world.documents.put("visitor_code", code, {
    appid: merchant.appid,
    openid,
    untilMs: world.now().getTime() + codeMs,
    isUsed: false,
  } satisfies VisitorCode);
  const back = new URL(of("redirect_uri"));
  back.searchParams.set("code", code);
  back.searchParams.set("state", of("state"));
  return new Response(null, { status: 302, headers: { location: back.href } });
}

/** Whose WeChat it is: from the end of its User-Agent, `… visitor/<name>`, so that a test can be several people. */
function visitorOf(request: Request): string {
  return /visitor\/(\w{1,32})$/.exec(request.headers.get("user-agent") ?? "")?.[1] ?? "somebody";
}

/** Whether the caller is the person named in a payment. */
export async function isVisitor(
  world: SimulatorWorld,
  request: Request,
  { appid, openid }: { appid: string; openid: string },
): Promise<boolean> {
  return (await openidOf(world, appid, visitorOf(request))) === openid;
}

/** The same person has a different id for every official account, but always the same for one. */
async function openidOf(world: SimulatorWorld, appid: string, visitor: string): Promise<string> {
  const stored = await world.documents.get<string>("openid", `${appid}/${visitor}`);
  if (stored !== null) return stored;
  const openid = `o${world.token(27)}`;
  await world.documents.put("openid", `${appid}/${visitor}`, openid);
  return openid;
}

async function readCode(world: SimulatorWorld, query: URLSearchParams): Promise<Response> {
  const of = (name: string) => query.get(name) ?? "";
  const merchant = await findMerchantOfApp(world, of("appid"));
  if (merchant === null) return failure(40013, "invalid appid");
  if (of("secret") !== merchant.appSecret) return failure(40125, "invalid appsecret");
  if (of("grant_type") !== "authorization_code") return failure(40002, "invalid grant_type");
  const code = await world.documents.get<VisitorCode>("visitor_code", of("code"));
  if (code === null || code.appid !== merchant.appid) return failure(40029, "invalid code");
  if (code.isUsed) return failure(40163, "code been used");
  if (world.now().getTime() >= code.untilMs) return failure(42003, "oauth_code expired");
  await world.documents.put("visitor_code", of("code"), { ...code, isUsed: true } satisfies VisitorCode);
  const tokens = { access_token: world.token(89), expires_in: tokenSeconds, refresh_token: world.token(89) };
  return plain({ ...tokens, openid: code.openid, scope: "snsapi_base" });
}

/** This API returns 200 for everything, and labels its JSON as plain text. */
function plain(content: object): Response {
  return new Response(JSON.stringify(content), { headers: { "content-type": "text/plain" } });
}

const failure = (errcode: number, errmsg: string) => plain({ errcode, errmsg: `${errmsg}, rid: 00000000-00000000-00000000` });

function notice(text: string): Response {
  return new Response(`<!doctype html><meta charset="utf-8"><p>${text}</p>`, { headers: { "content-type": "text/html; charset=utf-8" } });
}
