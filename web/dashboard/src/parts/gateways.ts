import { useCallback, useMemo } from "react";
import type { Objects } from "../data/client.ts";
import { useApi } from "../data/queries.ts";
import { useLanguage, useWords } from "../words/language.tsx";
import { shared } from "../words/shared.ts";
import type { Filter } from "./filters.tsx";

type Gateway = Objects["Gateway"];
export type Channel = Objects["CollectionProfile"]["channel"];

/** The installation decides what there is: it changes with its version alone, and what is set up with the pages that do so. */
const keptMs = 300_000;
const none: Gateway[] = [];

/** The ways to pay, in the order in which buyers see them; none until they are read. */
export function useGateways(): Gateway[] {
  return useApi("GET /api/v1/projects/{projectId}/gateways", { keptMs }).data?.data ?? none;
}

/** Names of gateways and of their channels, as buyers know them; one that is in no list is shown as the API writes it. */
export function useGatewayName(): (gateway: string) => string {
  const gateways = useGateways();
  const { language } = useLanguage();
  const names = useMemo(
    () =>
      new Map(gateways.flatMap(({ slug, channel, names: { [language]: own, en } }) => [slug, channel ?? slug].map((key) => [key, own ?? en ?? key] as const))),
    [gateways, language],
  );
  // Until they are read, nothing is better than a name that changes at once.
  return useCallback((gateway) => names.get(gateway) ?? (names.size === 0 ? "\u00a0" : gateway), [names]);
}

/** Channels that hold a receiving code. */
export function useChannels(): Channel[] {
  const gateways = useGateways();
  return useMemo(() => gateways.flatMap(({ channel }) => (channel === null ? [] : [channel as Channel])), [gateways]);
}

/** Channels with their names, to choose one of. */
export function useChannelChoices(): { value: Channel; label: string }[] {
  const channels = useChannels();
  const nameOf = useGatewayName();
  return useMemo(() => channels.map((value) => ({ value, label: nameOf(value) })), [channels, nameOf]);
}

/** By the gateway that the money came through. */
export function useGatewayFilter(): Filter {
  const all = useWords(shared);
  const gateways = useGateways();
  const nameOf = useGatewayName();
  return { name: "gateway", label: all.channel, options: gateways.map(({ slug }) => ({ value: slug, label: nameOf(slug) })) };
}
