import { Button } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useHere } from "../../../data/here.tsx";
import { useApi } from "../../../data/queries.ts";
import { useProviderName } from "../../../parts/filters/gateways.ts";
import { Section } from "../../../parts/pages/page.tsx";
import { useWords } from "../../../words/language.tsx";
import { TestOrder } from "../health/test-order.tsx";
import { type Account, accountRoute, type Gateway } from "../parts/account.ts";
import { gatewayWords } from "../parts/gateways.words.ts";

/** What a demo account does, an order for trying it, and the way to a real account. */
export function DemoAccount({ account, gateway }: { account: Account; gateway: Gateway }) {
  const words = useWords(gatewayWords);
  const here = useHere();
  const name = useProviderName()(gateway.slug);
  const setup = useApi(`GET ${accountRoute}/setup`, { path: { slug: gateway.slug, id: account.id }, enabled: gateway.demo }).data;
  return (
    <Section title={words.demoTitle}>
      <p>{words.demoText(name)}</p>
      <p className="soft">{gateway.demo ? words.demoNext(name) : words.demoUnused(name)}</p>
      <div className="line">
        {gateway.demo && setup !== undefined ? <TestOrder setup={setup} variant="filled" /> : null}
        {gateway.demo && here.may("gateways") ? (
          <Button variant="default" component={Link} to={here.to(`/gateways/${gateway.slug}/new`)}>
            {words.addAccount}
          </Button>
        ) : null}
      </div>
    </Section>
  );
}
