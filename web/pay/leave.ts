/**
 * Sends the buyer to the place where they pay, if a link in the page's head can't: with a form, or on a tap with the app whose browser this
 * is.
 */
export function leadAway(): void {
  document.querySelector<HTMLFormElement>("form[data-auto]")?.submit();
  document.addEventListener("click", (event) => {
    const button = event.target instanceof Element ? event.target.closest<HTMLButtonElement>("button[data-jsapi]") : null;
    if (button !== null) void payInWechat(button);
  });
}

interface WechatBridge {
  invoke(name: string, params: unknown, done: (result: { err_msg?: string }) => void): void;
}

const bridge = () => (window as { WeixinJSBridge?: WechatBridge }).WeixinJSBridge;

/** How long to wait for the bridge, which WeChat adds a moment after the page has loaded. */
const bridgeMs = 3_000;

function findBridge(): Promise<WechatBridge | undefined> {
  if (bridge() !== undefined) return Promise.resolve(bridge());
  return new Promise((found) => {
    document.addEventListener("WeixinJSBridgeReady", () => found(bridge()), { once: true });
    window.setTimeout(() => found(bridge()), bridgeMs);
  });
}

async function payInWechat(button: HTMLButtonElement): Promise<void> {
  // A second tap while the cashier opens must not open another one.
  if (button.getAttribute("aria-busy") === "true") return;
  button.setAttribute("aria-busy", "true");
  showNote(null);
  const found = await findBridge();
  if (found === undefined) {
    button.removeAttribute("aria-busy");
    return showNote("outside");
  }
  found.invoke("getBrandWCPayRequest", JSON.parse(button.dataset["jsapi"] ?? "{}"), ({ err_msg = "" }) => {
    button.removeAttribute("aria-busy");
    // Its result proves nothing: the page queries the server.
    if (err_msg.endsWith(":ok")) location.assign(backPage(button));
    else showNote(err_msg.endsWith(":cancel") ? "cancel" : "fail");
  });
}

function backPage(button: HTMLButtonElement): URL {
  const back = new URL(button.dataset["back"] ?? "", location.href);
  back.searchParams.set("back", "paid");
  return back;
}

/** Shows how the last tap ended; null shows nothing. */
function showNote(how: "cancel" | "fail" | "outside" | null): void {
  for (const notice of document.querySelectorAll<HTMLElement>("[data-note]")) notice.hidden = notice.dataset["note"] !== how;
}

/** Opens the redirect page if it was the response to a form: that page may leave, and this one may not. */
export function goesAway(address: string): boolean {
  const leaves = URL.parse(address)?.pathname.endsWith("/go") === true;
  if (leaves) location.assign(address);
  return leaves;
}

/** The code was saved or opened in its app: of the page's buttons, the one that reports the payment is next. */
export function fillNext(): void {
  for (const button of document.querySelectorAll(".pair .primary, .act .button")) button.classList.toggle("primary");
}
