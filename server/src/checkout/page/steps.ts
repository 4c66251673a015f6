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
  if (opensAtCode(page, session, method)) return [words.stepOpenApp(app)];
  return [words.stepSave, words.stepOpenScan(app)];
}

/** Whether this phone can open the method's app at the code itself. */
function opensAtCode({ device }: Page, { qr_payload }: PaySession, { app }: PaymentMethod): boolean {
  return device === "phone" && app?.addressOf !== undefined && qr_payload !== null;
}

/** The button that this device needs first. null where it has none: a desktop's code is scanned, and inside the app it's pressed. */
export function firstAction(page: Page, session: PaySession, method: PaymentMethod): "open" | "save" | null {
  if (page.device === "desktop" || page.device === method.app?.id) return null;
  return opensAtCode(page, session, method) ? "open" : "save";
}
