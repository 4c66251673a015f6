import type { SimulatedFault, SimulatorWorld } from "#gateways/index.ts";
import { findApp, isSignedByApp, type SimulatedApp, signAsAlipay } from "./accounts.ts";
import { methods, type Outcome, orderOf } from "./methods.ts";
import { fromWallClock } from "./trades.ts";

/** How far the timestamp of a request may be off. */
const windowMs = 15 * 60_000;
const pages = new Set(["alipay.trade.wap.pay", "alipay.trade.page.pay"]);

interface Refusal {
  code: string;
  subCode: string;
  app: SimulatedApp | null;
}

/** Responds to a gateway request, or redirects a buyer to the page that it signs for. */
export async function answerGateway(world: SimulatorWorld, request: Request, fault: SimulatedFault | null): Promise<Response> {
  const params = await readParams(request);
  const method = params?.get("method") ?? "";
  const checked = params === null ? { code: "40002", subCode: "isv.invalid-parameter", app: null } : await checkRequest(world, params);
  if ("code" in checked)
    return writeAnswer({ method, content: contentOf(checked.code, checked.subCode), app: checked.app, isPage: pages.has(method) });
  const { app, content } = checked;
  const broken =
    fault === "server_error"
      ? contentOf("20000", "isp.unknow-error")
      : fault === "rate_limited"
        ? contentOf("40005", "isv.app-call-limited")
        : null;
  if (broken !== null) return writeAnswer({ method, content: broken, app });
  const call = { world, app, content, params: params ?? new Map<string, string>() };
  if (pages.has(method)) {
    const order = await orderOf(call);
    if (typeof order === "string") return writeAnswer({ method, content: contentOf("40004", order), app, isPage: true });
    return new Response(null, { status: 302, headers: { location: `${world.origin}/pay/${order.token}` } });
  }
  const outcome: Outcome = (await methods[method]?.(call)) ?? { refused: "ACQ.INVALID_PARAMETER" };
  const body =
    "done" in outcome ? { code: "10000", msg: "Success", ...outcome.done } : { ...contentOf("40004", outcome.refused), ...outcome.extra };
  return writeAnswer({ method, content: body, app, isBroken: fault === "bad_signature" });
}

/** Parameters of the query and of the form; null if one appears twice. */
async function readParams(request: Request): Promise<Map<string, string> | null> {
  const body = request.method === "POST" ? await request.text() : "";
  const entries = [...new URL(request.url).searchParams, ...new URLSearchParams(body)];
  const params = new Map(entries);
  // The character set may be in both.
  const repeated = entries.length - params.size - (entries.filter(([name]) => name === "charset").length > 1 ? 1 : 0);
  return repeated > 0 ? null : params;
}

async function checkRequest(
  world: SimulatorWorld,
  params: ReadonlyMap<string, string>,
): Promise<Refusal | { app: SimulatedApp; content: Record<string, unknown> }> {
  const param = (name: string) => params.get(name) ?? "";
  const app = await findApp(world, param("app_id"));
  if (app === null) return { code: "40002", subCode: "isv.invalid-app-id", app };
  const refuse = (subCode: string, code = "40002"): Refusal => ({ code, subCode, app });
  for (const name of ["method", "sign", "sign_type", "timestamp", "version", "charset", "biz_content"]) {
    if (param(name) === "") return refuse(`isv.missing-${name.replaceAll("_", "-")}`, "40001");
  }
  if (param("sign_type") !== "RSA2") return refuse("isv.invalid-signature-type");
  if (param("charset").toLowerCase() !== "utf-8" || param("version") !== "1.0") return refuse("isv.invalid-parameter");
  if (!Object.hasOwn(methods, param("method")) && !pages.has(param("method"))) return refuse("isv.invalid-method");
  const { certificates } = app;
  if (certificates !== null && param("app_cert_sn") !== certificates.appCertSn) return refuse("isv.invalid-app-cert-sn");
  if (certificates !== null && param("alipay_root_cert_sn") !== certificates.rootCertSn) return refuse("isv.invalid-root-cert-sn");
  const names = [...params.keys()].filter((name) => name !== "sign" && param(name) !== "").sort();
  if (!isSignedByApp(names.map((name) => `${name}=${param(name)}`).join("&"), param("sign"), app)) return refuse("isv.invalid-signature");
  const sentAt = fromWallClock(param("timestamp"));
  if (sentAt === null || Math.abs(sentAt - world.now().getTime()) > windowMs) return refuse("isv.invalid-timestamp");
  const content = contentIn(param("biz_content"));
  return content === null ? refuse("isv.invalid-parameter") : { app, content };
}

function contentIn(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : null;
  } catch {
    return null;
  }
}

const messages: Readonly<Record<string, string>> = {
  20000: "Service Currently Unavailable",
  40001: "Missing Required Arguments",
  40002: "Invalid Arguments",
  40004: "Business Failed",
  40005: "Call Limited",
};

function contentOf(code: string, subCode: string): Record<string, unknown> {
  return { code, msg: messages[code] ?? "", sub_code: subCode, sub_msg: `模拟：${subCode}` };
}

interface Answer {
  method: string;
  content: Record<string, unknown>;
  /** Whose keys sign it; null if the gateway doesn't know the app and signs nothing. */
  app: SimulatedApp | null;
  isPage?: boolean;
  isBroken?: boolean;
}

function writeAnswer({ method, content, app, isPage = false, isBroken = false }: Answer): Response {
  if (isPage)
    return new Response(`Alipay: ${String(content["sub_code"])}`, {
      status: 200,
      headers: { "content-type": "text/plain; charset=utf-8" },
    });
  const name = Object.hasOwn(methods, method) ? `${method.replaceAll(".", "_")}_response` : "error_response";
  // As the gateway writes it, with escaped slashes: serializing the object again would give a different signed text.
  const inner = JSON.stringify(content).replaceAll("/", "\\/");
  const signature = app === null ? null : signAsAlipay(isBroken ? `${inner} ` : inner, app);
  const certificate = app?.certificates == null ? "" : `"alipay_cert_sn":"${app.certificates.alipayCertSn}",`;
  const body = signature === null ? `{"${name}":${inner}}` : `{${certificate}"${name}":${inner},"sign":"${signature}"}`;
  return new Response(body, { status: 200, headers: { "content-type": "text/html;charset=utf-8", trace_id: "simulated" } });
}
