import { IconArrowLeft } from "@tabler/icons-react";
import { Link, useParams } from "@tanstack/react-router";
import { useHere } from "../../../data/here.tsx";
import { useApi } from "../../../data/queries.ts";
import { useProviderName, useProviders } from "../../../parts/filters/gateways.ts";
import { type Fact, Facts, TwoSides } from "../../../parts/pages/object-page.tsx";
import { Loaded, Page, Section } from "../../../parts/pages/page.tsx";
import { Copyable } from "../../../parts/shown/copy.tsx";
import { RawJson } from "../../../parts/shown/raw-json.tsx";
import { When } from "../../../parts/shown/when.tsx";
import { useWords } from "../../../words/language.tsx";
import { shared } from "../../../words/shared.ts";
import { DailyComparison } from "../health/comparison.tsx";
import { SetupCheck } from "../health/setup-check.tsx";
import { ProviderAttempts } from "../log/provider-attempts.tsx";
import { RefusedCallbacks } from "../log/refused-callbacks.tsx";
import { type Account, accountRoute, type Gateway } from "../parts/account.ts";
import { AccountBadge, useAccountName } from "../parts/account-state.tsx";
import { useInLanguage } from "../parts/credential-fields.tsx";
import { gatewayWords } from "../parts/gateways.words.ts";
import { useLimitText } from "../parts/takes.tsx";
import { AccountActions } from "./account-actions.tsx";
import { CallbackAddress } from "./callback-address.tsx";
import { DemoAccount } from "./demo-account.tsx";
import "../parts/gateways.css";

/** An account's default values. */
const usualWeight = 100;

export default function AccountPage() {
  const { slug = "", id = "" } = useParams({ strict: false }) as { slug?: string; id?: string };
  const words = useWords(gatewayWords);
  const here = useHere();
  const provider = useProviderName()(slug);
  const nameOf = useAccountName();
  const gateway = useProviders().data?.find((one) => one.slug === slug);
  const read = useApi(`GET ${accountRoute}`, { path: { slug, id } });
  const account = read.data;
  return (
    <Page
      title={account === undefined ? provider : nameOf(account)}
      aside={
        account === undefined || gateway === undefined ? null : (
          <>
            <span className="soft">{provider}</span>
            <AccountBadge account={account} gateway={gateway} />
          </>
        )
      }
      actions={
        account === undefined || gateway === undefined || !here.may("gateways") ? null : (
          <AccountActions account={account} gateway={gateway} />
        )
      }
      back={
        <Link to={here.to("/gateways")} className="back">
          <IconArrowLeft size={16} stroke={1.5} /> {words.title}
        </Link>
      }
    >
      <Loaded read={read}>{(loaded) => (gateway === undefined ? null : <Body account={loaded} gateway={gateway} />)}</Loaded>
    </Page>
  );
}

function Body({ account, gateway }: { account: Account; gateway: Gateway }) {
  const all = useWords(shared);
  return (
    <>
      <TwoSides
        left={
          account.demo ? (
            <DemoAccount account={account} gateway={gateway} />
          ) : (
            <>
              <SetupCheck account={account} gateway={gateway} />
              <CallbackAddress account={account} gateway={gateway} />
              <DailyComparison account={account} />
            </>
          )
        }
        right={
          <Section title={all.details}>
            <Facts facts={useFacts(account, gateway)} />
            <RawJson value={account} />
          </Section>
        }
      />
      <ProviderAttempts account={account} />
      {account.demo ? null : <RefusedCallbacks account={account} />}
    </>
  );
}

function useFacts(account: Account, gateway: Gateway): (Fact | null)[] {
  const words = useWords(gatewayWords);
  const all = useWords(shared);
  const inLanguage = useInLanguage();
  const provider = useProviderName()(account.gateway);
  const limits = useLimitText(account, gateway);
  const { currencies, old_fields_until } = account;
  const entered = (gateway.credential_fields ?? []).flatMap(({ name, names }) => {
    const field = account.fields[name];
    return field === undefined ? [] : [{ label: inLanguage(names), value: <Stored field={field} /> }];
  });
  return [
    account.account === null || account.demo
      ? null
      : { label: words.providerAccount(provider), value: <ProviderAccount account={account} /> },
    // A demo account has no entered credentials.
    ...(account.demo ? [] : entered),
    { label: words.limits, value: limits },
    { label: words.takesCurrencies, value: currencies === null ? words.everyCurrency : currencies.join(", ") },
    account.weight === usualWeight ? null : { label: words.weight, value: account.weight },
    account.demo ? null : { label: words.checkedAt, value: <When at={account.checked_at} long /> },
    { label: words.lastSuccess, value: <When at={account.last_success_at} long /> },
    old_fields_until === null ? null : { label: words.oldUntil, value: <When at={old_fields_until} long /> },
    { label: all.id, value: <Copyable text={account.id} /> },
    { label: all.created, value: <When at={account.created_at} long /> },
  ];
}

function ProviderAccount({ account: { account, account_name } }: { account: Account }) {
  return (
    <span className="line">
      {account_name === null ? null : <bdi>{account_name}</bdi>}
      <Copyable text={account ?? ""} />
    </span>
  );
}

/** A stored field as it is read back: a secret's last characters, the first line of a multi-line text. */
function Stored({ field }: { field: Account["fields"][string] }) {
  if (field.secret) return <code translate="no">••••{field.last4 ?? ""}</code>;
  const value = field.value ?? "";
  const [first = ""] = value.split("\n");
  return first === value ? <code translate="no">{value}</code> : <code translate="no">{first}…</code>;
}
