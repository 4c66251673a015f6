import { useCallback, useMemo } from "react";
import { firstLanguage } from "../../../../language/languages.ts";
import type { Objects } from "../../data/client.ts";
import { useHere } from "../../data/here.tsx";
import { useApi } from "../../data/queries.ts";
import { useLanguage, useWords } from "../../words/language.tsx";
import { shared } from "../../words/shared.ts";
import type { Filter } from "./filters.tsx";

type Gateway = Objects["Gateway"];
type Channel = Objects["CollectionProfile"]["channel"];

/** The installation determines what exists: it only changes with its version, and set-up only changes on the pages for it. */
const cacheMs = 300_000;
const none: Gateway[] = [];

function useList() {
  return useApi("GET /api/v1/projects/{projectId}/gateways", { cacheMs });
}

/** The payment methods, in the order in which buyers see them; none until they are loaded. */
export function useMethods(): Gateway[] {
  return useList().data?.data ?? none;
}

/** Names of gateways and of their channels, as buyers know them; unknown ones are shown as the API writes them. */
export function useGatewayName(): (gateway: string) => string {
  const { isPending } = useList();
  const gateways = useMethods();
  const { language } = useLanguage();
  const names = useMemo(
    () =>
      new Map(
        gateways.flatMap(({ slug, channel, names: { [language]: own, [firstLanguage]: first } }) =>
          [slug, channel ?? slug].map((key) => [key, own ?? first ?? key] as const),
        ),
      ),
    [gateways, language],
  );
  // Until they are loaded, an empty name is better than one that changes immediately.
  return useCallback((gateway) => names.get(gateway) ?? (isPending ? "\u00a0" : gateway), [names, isPending]);
}

/** A payment's method, as the merchant knows it; a simulated provider is marked. */
export function useSessionName(): (session: { gateway: string; demo: boolean }) => string {
  const nameOf = useProviderName();
  const { simulated } = useWords(shared);
  return useCallback(({ gateway, demo }) => (demo ? simulated(nameOf(gateway)) : nameOf(gateway)), [nameOf, simulated]);
}

/** Payment providers, in the order of the payment page. */
export function useProviders() {
  const { data, error, refetch } = useList();
  return { data: data?.data.filter(({ kind }) => kind === "gateway"), error, refetch };
}

/** The provider where the merchant has its account of a gateway. */
export function useProviderName(): (gateway: string) => string {
  const gateways = useMethods();
  const { language } = useLanguage();
  const nameOf = useGatewayName();
  return useCallback(
    (gateway) => {
      const names = gateways.find(({ slug }) => slug === gateway)?.provider_names;
      return names?.[language] ?? names?.[firstLanguage] ?? nameOf(gateway);
    },
    [gateways, language, nameOf],
  );
}

/** Channels with a receiving code. */
export function useChannels(): Channel[] {
  const gateways = useMethods();
  return useMemo(() => gateways.flatMap(({ channel }) => (channel === null ? [] : [channel as Channel])), [gateways]);
}

/** Channels with their names, for a selection. */
export function useChannelChoices(): { value: Channel; label: string }[] {
  const channels = useChannels();
  const nameOf = useGatewayName();
  return useMemo(() => channels.map((value) => ({ value, label: nameOf(value) })), [channels, nameOf]);
}

/** True if a gateway takes payments in a currency. */
function takesCurrency({ currencies }: Gateway, currency: string): boolean {
  return currencies === null || currencies.includes(currency);
}

/** The receiving codes that can be paid in a currency. */
export function useCodesFor(currency: string): Gateway[] {
  const gateways = useMethods();
  return useMemo(() => gateways.filter((one) => one.kind === "personal_qr" && takesCurrency(one, currency)), [gateways, currency]);
}

/** The provider of a gateway by its name; undefined for a receiving code. */
export function useProviderOf(gateway: string): string | undefined {
  const nameOf = useProviderName();
  const isProvider = useMethods().some(({ slug, kind }) => slug === gateway && kind === "gateway");
  return isProvider ? nameOf(gateway) : undefined;
}

/** The currency of a channel's amounts: the first that its code takes. */
export function useChannelCurrency(channel: string): string {
  const { project } = useHere();
  const gateway = useMethods().find((one) => one.channel === channel);
  return gateway?.currencies?.[0] ?? project.default_currency;
}

/** Filters by the gateway that the money came through. A receiving code is marked, because a provider can have the same name. */
export function useGatewayFilter(): Filter {
  const all = useWords(shared);
  const { data, isPending } = useList();
  const nameOf = useProviderName();
  const options = (data?.data ?? none).map(({ slug, kind }) => ({
    value: slug,
    label: kind === "personal_qr" ? all.labeled(nameOf(slug), all.receivingCode) : nameOf(slug),
  }));
  return { name: "gateway", label: all.paymentMethod, options: isPending ? null : options };
}
