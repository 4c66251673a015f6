import { ActionIcon, Button, Tooltip } from "@mantine/core";
import { IconArrowDown, IconArrowUp, IconPlus } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { useHere } from "../../data/here.tsx";
import { useList } from "../../data/queries.ts";
import { useMethods, useProviderName, useProviders } from "../../parts/filters/gateways.ts";
import { type Column, Rows } from "../../parts/pages/list-page.tsx";
import { Loaded, Page, Section } from "../../parts/pages/page.tsx";
import { Ago } from "../../parts/shown/when.tsx";
import { useWords } from "../../words/language.tsx";
import { shared } from "../../words/shared.ts";
import { PageOrder } from "./page-order.tsx";
import { type Account, accountsRoute, type Gateway } from "./parts/account.ts";
import { AccountBadge, useAccountName } from "./parts/account-state.tsx";
import { gatewayWords } from "./parts/gateways.words.ts";
import { moved, ownOf, shareOf } from "./parts/order-accounts.ts";
import { useLimitText } from "./parts/takes.tsx";
import { useMoves } from "./parts/use-moves.ts";
import { TryDemo } from "./try-demo.tsx";
import "./parts/gateways.css";

export default function GatewaysPage() {
  const words = useWords(gatewayWords);
  const all = useWords(shared);
  const here = useHere();
  const read = useProviders();
  const methods = useMethods();
  return (
    <Page title={words.title}>
      <p className="soft">
        {all.inARow(words.text, words.codesHint)}
        <Link to={here.to("/codes")}>{words.toCodes}</Link>
      </p>
      <Loaded read={read}>
        {(gateways) => (
          <>
            <PageOrder gateways={methods.filter(({ configured }) => configured)} />
            {gateways
              .filter(({ configured }) => configured)
              .map((gateway) => (
                <Accounts key={gateway.slug} gateway={gateway} />
              ))}
            <NotSetUp gateways={gateways.filter(({ configured }) => !configured)} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

/** The accounts of one gateway, in the order in which payments go to them. */
function Accounts({ gateway }: { gateway: Gateway }) {
  const words = useWords(gatewayWords);
  const here = useHere();
  const name = useProviderName()(gateway.slug);
  const list = useList<Account>(`GET ${accountsRoute}`, { path: { slug: gateway.slug } });
  const accounts = list.data?.pages.flatMap(({ data }) => data) ?? [];
  const add = here.may("gateways") ? (
    <Button
      variant="default"
      leftSection={<IconPlus size={16} stroke={1.5} />}
      component={Link}
      to={here.to(`/gateways/${gateway.slug}/new`)}
    >
      {words.addAccount}
    </Button>
  ) : null;
  return (
    <Section title={name} actions={add}>
      {ownOf(accounts).length > 1 ? <p className="soft">{words.inOrder}</p> : null}
      <div className="gateway-accounts">
        <Rows
          list={list}
          label={name}
          idOf={({ id }) => id}
          hrefOf={({ id }) => here.to(`/gateways/${gateway.slug}/${id}`)}
          columns={useColumns(gateway, accounts)}
          empty={null}
          foot={false}
        />
      </div>
    </Section>
  );
}

function useColumns(gateway: Gateway, listed: Account[]): Column<Account>[] {
  const words = useWords(gatewayWords);
  const all = useWords(shared);
  const here = useHere();
  const nameOf = useAccountName();
  const accounts = ownOf(listed);
  const order: Column<Account> = {
    label: all.actions,
    end: true,
    phone: "amount",
    show: (account) => (account.demo ? null : <OrderButtons gateway={gateway} accounts={accounts} account={account} />),
  };
  const share: Column<Account> = { label: words.share, show: (account) => <Share accounts={accounts} account={account} /> };
  return [
    { label: words.account, phone: "title", show: (account) => <span className="cut">{nameOf(account)}</span> },
    { label: all.status, phone: "state", show: (account) => <AccountBadge account={account} gateway={gateway} /> },
    { label: words.takes, phone: "note", show: (account) => <Takes account={account} gateway={gateway} /> },
    ...(accounts.some(({ id }) => shareOf(accounts, id) !== null) ? [share] : []),
    {
      label: words.lastSuccess,
      end: true,
      show: ({ last_success_at: at }) => (at === null ? <span className="soft">–</span> : <Ago at={at} />),
    },
    ...(accounts.length > 1 && here.may("gateways") ? [order] : []),
  ];
}

function Takes({ account, gateway }: { account: Account; gateway: Gateway }) {
  const limits = useLimitText(account, gateway);
  const { currencies } = account;
  return <span className="cut soft">{currencies === null ? limits : `${limits} · ${currencies.join(", ")}`}</span>;
}

function Share({ accounts, account }: { accounts: Account[]; account: Account }) {
  const share = shareOf(accounts, account.id);
  return <span className="soft">{share === null ? "–" : `${share}%`}</span>;
}

function OrderButtons({ gateway, accounts, account }: { gateway: Gateway; accounts: Account[]; account: Account }) {
  const words = useWords(gatewayWords);
  const all = useWords(shared);
  const nameOf = useAccountName();
  const { busy, apply } = useMoves(gateway, accounts);
  return (
    <span className="order-buttons">
      {([-1, 1] as const).map((step) => {
        const moves = moved(accounts, account.id, step);
        const text = step < 0 ? words.earlier : words.later;
        return (
          <Tooltip key={step} label={text}>
            <ActionIcon
              variant="subtle"
              color="gray"
              className="quiet-icon"
              aria-label={all.about(text, nameOf(account))}
              disabled={busy || moves.length === 0}
              onClick={() => void apply(moves)}
            >
              {step < 0 ? <IconArrowUp size={16} stroke={1.5} /> : <IconArrowDown size={16} stroke={1.5} />}
            </ActionIcon>
          </Tooltip>
        );
      })}
    </span>
  );
}

function NotSetUp({ gateways }: { gateways: Gateway[] }) {
  const words = useWords(gatewayWords);
  const here = useHere();
  if (gateways.length === 0) return null;
  return (
    <Section title={words.addTitle}>
      {here.livemode || !here.may("gateways") ? null : <p className="soft">{words.demoHint}</p>}
      <ul className="cards gateway-cards">
        {gateways.map((gateway) => (
          <li key={gateway.slug}>
            <GatewayCard gateway={gateway} />
          </li>
        ))}
      </ul>
    </Section>
  );
}

function GatewayCard({ gateway }: { gateway: Gateway }) {
  const words = useWords(gatewayWords);
  const here = useHere();
  const name = useProviderName()(gateway.slug);
  const { currencies } = gateway;
  const takes =
    currencies === null ? words.anyCurrency : currencies.length < 4 ? currencies.join(", ") : words.currencies(currencies.length);
  return (
    <div className="card">
      <h3>{name}</h3>
      <p className="soft">{takes}</p>
      {here.may("gateways") ? (
        <div className="line">
          <Button variant="default" aria-label={words.setUpGateway(name)} component={Link} to={here.to(`/gateways/${gateway.slug}/new`)}>
            {words.setUp}
          </Button>
          <TryDemo gateway={gateway} />
        </div>
      ) : (
        <p className="soft">{words.notSetUp}</p>
      )}
    </div>
  );
}
