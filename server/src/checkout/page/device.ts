import type { PaymentMethods } from "#gateways/index.ts";

/**
 * The device that shows the page; the steps differ, because a phone can't scan its own screen. Inside a payment method's own app on a phone
 * it's that app's id.
 */
export type Device = "phone" | "desktop" | (string & {});

/** Detects the device from the User-Agent. A wrong guess only changes the wording of the steps. */
export function deviceOf(userAgent: string | undefined, { all }: PaymentMethods): Device {
  const agent = userAgent ?? "";
  for (const { app } of all) {
    const inside = app?.browserOf(agent) ?? null;
    if (app !== null && inside !== null) return inside === "phone" ? app.id : inside;
  }
  return /Android|iPhone|iPod|Mobile|HarmonyOS/i.test(agent) ? "phone" : "desktop";
}
