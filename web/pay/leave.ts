/** Sends the buyer on to where they pay, where a link in the page's head cannot: by a form, or by WeChat itself. */
export function leadAway(): void {
  document.querySelector<HTMLFormElement>("form[data-auto]")?.submit();
  const button = document.querySelector<HTMLButtonElement>("button[data-jsapi]");
  if (button === null) return;
  button.hidden = false;
  button.addEventListener("click", () => payInWechat(button));
  if (bridge() === undefined) document.addEventListener("WeixinJSBridgeReady", () => payInWechat(button), { once: true });
  else payInWechat(button);
}

interface WechatBridge {
  invoke(name: string, params: unknown, done: (result: { err_msg?: string }) => void): void;
}

const bridge = () => (window as { WeixinJSBridge?: WechatBridge }).WeixinJSBridge;

function payInWechat(button: HTMLElement): void {
  const back = new URL(button.dataset["back"] ?? "", location.href);
  bridge()?.invoke("getBrandWCPayRequest", JSON.parse(button.dataset["jsapi"] ?? "{}"), ({ err_msg = "" }) => {
    // What it says is no proof: the page asks. A buyer who gave up can press the button again.
    if (!err_msg.endsWith(":ok")) return;
    back.searchParams.set("back", "paid");
    location.assign(back);
  });
}

/** Goes to the page that leads the buyer away, where a form was answered with it: that one may, and this one may not. */
export function goesAway(address: string): boolean {
  const leaves = URL.parse(address)?.pathname.endsWith("/go") === true;
  if (leaves) location.assign(address);
  return leaves;
}
