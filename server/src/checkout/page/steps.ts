import type { PaySession } from "../pay-view.ts";
import { type Page, sumOf } from "./page.ts";

/** What to do on the device that the page is read on: three short sentences, in order. */
export function stepsFor(page: Page, session: PaySession): string[] {
  const { words } = page;
  const sum = sumOf(page, session.payable_amount_minor).whole;
  const pay = session.remark_code === null ? words.stepPay(sum) : words.stepPayNote(sum, session.remark_code);
  return [...reachTheCode(page, session), pay, words.stepBack];
}

function reachTheCode({ device, words }: Page, session: PaySession): string[] {
  const app = words.apps[session.gateway];
  if (device === "desktop") return [words.stepScan(app)];
  if (device === "wechat" && session.gateway === "wechatpay") return [words.stepHold];
  if (device === "alipay" && session.gateway === "alipay") return [words.stepHoldOrSave];
  if (device === "phone" && session.gateway === "alipay" && session.qr_payload !== null) return [words.stepOpenApp(app)];
  return [words.stepSave, words.stepOpenScan(app)];
}
