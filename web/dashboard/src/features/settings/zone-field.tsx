import { Select } from "@mantine/core";
import { useMemo } from "react";
import { useHere } from "../../data/here.tsx";
import { isKnownZone } from "../../data/zone.ts";
import { zoneOfCurrency } from "../../parts/files/csv.ts";
import { useLanguage, useWords } from "../../words/language.tsx";
import { settingsWords } from "./settings.words.ts";

interface ZoneFieldProps {
  zone: string | undefined;
  currency: string;
  error: string | undefined;
  onChoose(zone: string | undefined): void;
}

/** The project's time zone, found by city or by name in the reader's language. */
export function ZoneField({ zone, currency, error, onChoose }: ZoneFieldProps) {
  const words = useWords(settingsWords);
  const usual = zoneOfCurrency(currency);
  return (
    <Select
      label={words.zone}
      description={words.zoneHint(usual)}
      placeholder={usual}
      searchable
      clearable
      disabled={!useHere().may("settings")}
      data={useZones(zone)}
      nothingFoundMessage={words.noZone}
      value={zone ?? null}
      error={error}
      onChange={(chosen) => onChoose(chosen ?? undefined)}
    />
  );
}

/** The zones that this browser knows, and the current one. */
function useZones(chosen: string | undefined) {
  const { locale } = useLanguage();
  return useMemo(() => {
    const names = new Set(["UTC", ...Intl.supportedValuesOf("timeZone"), ...(chosen === undefined ? [] : [chosen])]);
    return [...names].map((zone) => ({ value: zone, label: isKnownZone(zone) ? `${zone} · ${nameOf(zone, locale)}` : zone }));
  }, [chosen, locale]);
}

function nameOf(zone: string, locale: string): string {
  const parts = new Intl.DateTimeFormat(locale, { timeZone: zone, timeZoneName: "longGeneric" }).formatToParts();
  return parts.find(({ type }) => type === "timeZoneName")?.value ?? "";
}
