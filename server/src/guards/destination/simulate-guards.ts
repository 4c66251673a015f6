import type { Add } from "#messaging/index.ts";

/** Numbers in TEST that are refused as guards would refuse one in LIVE. */
const refusals: Readonly<Record<string, { code: string; reason: string; message: string; values?: { value: string } }>> = {
  "+15005550003": {
    ...{ code: "country_not_allowed", reason: "country_not_allowed", values: { value: "US" } },
    message: "This project isn't allowed to reach this country (simulated).",
  },
  "+15005550010": {
    ...{ code: "country_not_allowed", reason: "prefix_paused", values: { value: "1500555" } },
    message: "Messages and calls to +1500555 are paused for this project because the traffic looked like abuse (simulated).",
  },
  "+15005550011": {
    ...{ code: "recipient_invalid", reason: "premium_number" },
    message: "Premium-rate numbers can't be reached (simulated).",
  },
  "+15005550012": {
    code: "quota_exceeded",
    reason: "recipient_pace",
    message: "This recipient got too many messages or calls recently (simulated).",
  },
  "+15005550013": { code: "quota_exceeded", reason: "spend_cap_day", message: "The project has reached its daily cap (simulated)." },
};

/** Refuses the simulator's numbers for what guards refuse in LIVE. */
export function simulateGuards(to: string, add: Add): void {
  const refusal = refusals[to];
  if (refusal === undefined) return;
  const { code, ...why } = refusal;
  add("to", code, why);
}
