/** A rendered page of ours that shows a payment. */
interface PaymentPage {
  title: string;
  main: HTMLElement;
}

/**
 * Reads a response. Returns null if it isn't a page of ours, but for instance that of a firewall, or if it's the one that says that the
 * payment can't be shown: with it, nothing would follow the order any more.
 */
export function paymentPage(text: string): PaymentPage | null {
  const page = new DOMParser().parseFromString(text, "text/html");
  const main = page.getElementById("main");
  return main === null || main.dataset["token"] === undefined ? null : { title: page.title, main };
}
