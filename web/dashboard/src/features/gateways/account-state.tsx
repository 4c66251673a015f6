import { Badge } from "../../parts/status.tsx";
import { useWords } from "../../words/language.tsx";
import { type Account, accountStates, stateOf } from "./account.ts";
import { gatewayWords } from "./gateways.words.ts";

/** How an account stands, in one word. */
export function AccountBadge({ account }: { account: Account }) {
  const words = useWords(gatewayWords);
  const state = stateOf(account);
  return <Badge tone={accountStates[state]}>{words.states[state]}</Badge>;
}
