import { Button } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { useHere } from "../../data/here.tsx";
import { useAction } from "../../data/queries.ts";
import { useProviderName } from "../../parts/filters/gateways.ts";
import { useWords } from "../../words/language.tsx";
import { shared } from "../../words/shared.ts";
import { type Account, accountsRoute, type Gateway } from "./parts/account.ts";
import { gatewayWords } from "./parts/gateways.words.ts";

/** Adds the gateway's demo account and opens its page. Not shown in LIVE, or if there is any other account. */
export function TryDemo({ gateway }: { gateway: Pick<Gateway, "slug" | "accounts"> }) {
  const words = useWords(gatewayWords);
  const all = useWords(shared);
  const here = useHere();
  const navigate = useNavigate();
  const name = useProviderName()(gateway.slug);
  const action = useAction<Account>(`POST ${accountsRoute}`, {
    success: words.demoOn,
    onDone: ({ id }) => void navigate({ to: here.to(`/gateways/${gateway.slug}/${id}`) }),
  });
  if (here.livemode || gateway.accounts > 0 || !here.may("gateways")) return null;
  const start = () => action.mutate({ path: { slug: gateway.slug }, body: { demo: true } });
  return (
    <Button variant="light" color="test" aria-label={all.about(words.tryDemo, name)} loading={action.isPending} onClick={start}>
      {words.tryDemo}
    </Button>
  );
}
