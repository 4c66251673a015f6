import { type ComboboxItem, MultiSelect } from "@mantine/core";
import { useMemo } from "react";
import { countryCodes } from "../../data/countries.ts";
import { defineWords, useLanguage, useWords } from "../../words/language.tsx";
import { useCountryName } from "../shown/country.tsx";

const fieldWords = defineWords({
  en: { find: "Find a country", none: "No such country" },
  zh: { find: "查找国家/地区", none: "没有这个国家/地区" },
});

interface CountryFieldProps {
  label: string;
  description: string;
  value: readonly string[];
  error: string | undefined;
  readOnly?: boolean;
  onChange(codes: string[]): void;
}

/** Several countries, found by name or code. */
export function CountryField({ value, readOnly = false, ...rest }: CountryFieldProps) {
  const words = useWords(fieldWords);
  const { locale } = useLanguage();
  const name = useCountryName();
  const options = useMemo(
    () =>
      countryCodes
        .map((code) => ({ value: code, label: name(code) }))
        .toSorted((one, other) => one.label.localeCompare(other.label, locale)),
    [name, locale],
  );
  return (
    <MultiSelect
      {...rest}
      data={options}
      value={[...value]}
      readOnly={readOnly}
      searchable
      hidePickedOptions
      placeholder={readOnly ? undefined : words.find}
      nothingFoundMessage={words.none}
      // An invalid field gets the focus, and its error is read first.
      openOnFocus={false}
      // The list itself scrolls, as screen readers expect of a list.
      withScrollArea={false}
      styles={{ options: { maxHeight: 264, overflowY: "auto" } }}
      filter={({ options: all, search }) => findCountries(all as ComboboxItem[], search.trim().toLowerCase())}
    />
  );
}

/** By code or a part of the name; names that begin with it come first. */
function findCountries(all: readonly ComboboxItem[], wanted: string): ComboboxItem[] {
  const found = all.filter(({ value, label }) => value.toLowerCase() === wanted || label.toLowerCase().includes(wanted));
  const rank = ({ label }: ComboboxItem) => (label.toLowerCase().startsWith(wanted) ? 0 : 1);
  return found.toSorted((one, other) => rank(one) - rank(other));
}
