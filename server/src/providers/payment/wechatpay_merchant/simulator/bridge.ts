import { createVerify } from "node:crypto";
import type { SimulatorWorld } from "#gateways/index.ts";
import { findMerchantOfApp, merchantKey } from "./accounts.ts";
import type { Ticket } from "./transactions.ts";

/**
 * A substitute for the bridge that WeChat's browser gives to pages, for browsers that have none: it opens the cashier over the page, and
 * reports to the page what WeChat would. A page whose policy forbids frames has to be opened without it.
 */
export function bridgeScript({ origin }: SimulatorWorld): string {
  return `(() => {
  if (window.WeixinJSBridge !== undefined || window.top !== window) return;
  let waiting = null;
  const origin = ${JSON.stringify(new URL(origin).origin)};
  addEventListener("message", (event) => {
    if (event.origin !== origin || waiting === null) return;
    const { frame, done } = waiting;
    waiting = null;
    frame.remove();
    done({ err_msg: "get_brand_wcpay_request:" + event.data });
  });
  window.WeixinJSBridge = {
    invoke(name, params, done) {
      if (name !== "getBrandWCPayRequest" || waiting !== null) return;
      const frame = document.createElement("iframe");
      frame.title = "WeChat Pay";
      frame.src = ${JSON.stringify(`${origin}/jsapi?`)} + new URLSearchParams(params);
      frame.style.cssText = "position:fixed;inset:0;width:100%;height:100%;border:0;z-index:9";
      waiting = { frame, done };
      document.body.append(frame);
    },
  };
  document.dispatchEvent(new Event("WeixinJSBridgeReady"));
})();
`;
}

/** The ticket that a page opened the cashier with; null if WeChat would say that the signature is wrong. */
export async function ticketOf(world: SimulatorWorld, query: URLSearchParams): Promise<{ name: string; ticket: Ticket } | null> {
  const of = (name: string) => query.get(name) ?? "";
  const merchant = await findMerchantOfApp(world, of("appId"));
  const name = /^prepay_id=(\w{1,64})$/.exec(of("package"))?.[1] ?? "";
  const ticket = await world.documents.get<Ticket>("ticket", name);
  if (merchant === null || ticket === null || ticket.mchid !== merchant.mchid || of("signType") !== "RSA") return null;
  const signed = `${of("appId")}\n${of("timeStamp")}\n${of("nonceStr")}\n${of("package")}\n`;
  const isGenuine = createVerify("sha256WithRSAEncryption")
    .update(signed)
    .verify(await merchantKey(world, merchant), of("paySign"), "base64");
  return isGenuine ? { name, ticket } : null;
}
