import type { PaymentMethod } from "#gateways/index.ts";
import type { PaySession } from "../pay-view.ts";
import { appName, type Page, sumOf } from "./page.ts";

/** What to do on the device that shows the page: three short sentences, in order. */
export function stepsFor(page: Page, session: PaySession, method: PaymentMethod): string[] {
  const { words } = page;
  const sum = sumOf(page, session.payable_amount_minor).whole;
  const pay = session.remark_code === null ? words.stepPay(sum) : words.stepPayNote(sum, session.remark_code);
  return [...openCodeSteps(page, session, method), pay, words.stepBack];
}

function openCodeSteps(page: Page, session: PaySession, method: PaymentMethod): string[] {
  const { device, words } = page;
  const app = appName(page, method);
  if (device === "desktop") return [words.stepScan(app)];
  if (method.app?.id === device) return [method.app.scans === "pressed" ? words.stepHold : words.stepHoldOrSave];
  if (device === "phone" && method.app?.addressOf !== undefined && session.qr_payload !== null) return [words.stepOpenApp(app)];
  return [words.stepSave, words.stepOpenScan(app)];
}
