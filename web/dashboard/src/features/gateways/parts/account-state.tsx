import { Badge } from "../../../parts/shown/status.tsx";
import { useWords } from "../../../words/language.tsx";
import { type Account, accountStates, type Gateway, stateOf } from "./account.ts";
import { gatewayWords } from "./gateways.words.ts";

/** An account's state in one word, preceded by a mark if its provider is simulated. */
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

/** The name of an account: the merchant's, or the provider's. */
export function useAccountName(): (account: Pick<Account, "label" | "demo" | "account_name" | "account" | "id">) => string {
  const words = useWords(gatewayWords);
  return ({ label, demo, account_name, account, id }) =>
    label ?? (demo ? words.demoAccount : (account_name ?? account ?? words.unnamed(`…${id.slice(-6)}`)));
}
