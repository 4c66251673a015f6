import { type SendingChannel, telephoneAddresses } from "#messaging/index.ts";
import { isSimulated } from "../simulator/numbers.ts";
import { callQueue, callsTable } from "./tables.sql.ts";

/** The channel of voice calls. Its unit is a call. */
export const callChannel: SendingChannel = {
  name: "call",
  addresses: { ...telephoneAddresses, isSimulated },
  limits: { calls: { free: 2, starter: 10, pro: 100, enterprise: 1_000 } },
  quota: { unit: "calls", daily: { free: 50, starter: 1_000, pro: 20_000, enterprise: 500_000 } },
  messages: callsTable,
  queue: callQueue,
  waiting: ["queued"],
};
