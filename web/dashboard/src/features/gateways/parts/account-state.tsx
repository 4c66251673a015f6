import { Badge } from "../../../parts/shown/status.tsx";
import { useWords } from "../../../words/language.tsx";
import { type Account, accountStates, type Gateway, stateOf } from "./account.ts";
import { gatewayWords } from "./gateways.words.ts";

/** How an account stands, in one word, and before it whether its provider is simulated. */
export function AccountBadge({ account, gateway }: { account: Account; gateway: Pick<Gateway, "demo"> }) {
  const words = useWords(gatewayWords);
  const state = stateOf(account, gateway);
  return (
    <span className="line">
      {account.demo ? <Badge tone="test">{words.demo}</Badge> : null}
      <Badge tone={accountStates[state]}>{words.states[state]}</Badge>
    </span>
  );
}

/** What people call an account: their own name for it, or the provider's. */
export function useAccountName(): (account: Pick<Account, "label" | "demo" | "account_name" | "account" | "id">) => string {
  const words = useWords(gatewayWords);
  return ({ label, demo, account_name, account, id }) => label ?? (demo ? words.demoAccount : (account_name ?? account ?? words.unnamed(`…${id.slice(-6)}`)));
}
