import type { VoiceAccount } from "./settings.ts";
import type { VoiceClient } from "./voice-client.ts";

/** An account, and the client for it. */
export interface AccountRoute {
  account: VoiceAccount;
  client: VoiceClient;
  /** Number of calls in progress. */
  calls: number;
}

/** An account as calls name it. */
export function providerOf({ account }: Pick<AccountRoute, "account">): string {
  return `http:${account.name}`;
}
