/** What the page is being read on; the steps differ, because a phone cannot scan its own screen. */
export type Device = "wechat" | "alipay" | "phone" | "desktop";

/** Reads the device from the User-Agent. A wrong guess only changes the wording of the steps. */
export function deviceOf(userAgent: string | undefined): Device {
  const agent = userAgent ?? "";
  if (/MicroMessenger/i.test(agent)) return /WindowsWechat|MacWechat/i.test(agent) ? "desktop" : "wechat";
  if (/AlipayClient|AliApp\(AP/i.test(agent)) return "alipay";
  return /Android|iPhone|iPod|Mobile|HarmonyOS/i.test(agent) ? "phone" : "desktop";
}
