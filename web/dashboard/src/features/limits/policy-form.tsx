import { Button, TagsInput } from "@mantine/core";
import { type FormEvent, type RefObject, useRef, useState } from "react";
import type { Objects } from "../../data/client.ts";
import { useEdit } from "../../data/forms/use-edit.ts";
import { useSave } from "../../data/forms/use-save.ts";
import { CountryField } from "../../parts/fields/country-field.tsx";
import { Section } from "../../parts/pages/page.tsx";
import { useWords } from "../../words/language.tsx";
import { shared } from "../../words/shared.ts";
import { reachWords } from "./reach.words.ts";

type Policy = Objects["MessagingPolicy"];

const rangeFields = ["denied_prefixes", "opened_prefixes"] as const;
const fields = ["allowed_countries", "denied_countries", ...rangeFields] as const;

type RangeName = (typeof rangeFields)[number];

/** Where messages of all projects may go. */
export function PolicyForm({ policy }: { policy: Policy }) {
  const words = useWords(reachWords);
  const edit = useEdit(policy, ({ allowed_countries, denied_countries, denied_prefixes, opened_prefixes }) => ({
    ...{ allowed_countries: allowed_countries ?? [], denied_countries, denied_prefixes, opened_prefixes },
  }));
  const { action, form, faultOf } = useSave<Policy>("PUT /api/admin/messaging-policy", { success: words.saved, fields, edit });
  const { given } = edit;
  const { typed, isUnfinished } = useTyped();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isUnfinished()) return;
    action.mutate({
      body: { ...given, allowed_countries: given.allowed_countries.length === 0 ? null : given.allowed_countries },
      version: edit.version,
    });
  };
  /** The props of a field of the form, by its name. */
  const field = (name: (typeof fields)[number]) => ({
    value: given[name],
    error: faultOf(name),
    onChange: (written: string[]) => edit.set({ [name]: written }),
  });
  return (
    <Section title={words.policy}>
      <p className="soft">{words.policyText}</p>
      <form ref={form} className="policy-form" onSubmit={submit}>
        <CountryField label={words.allowed} description={words.allowedHint} {...field("allowed_countries")} />
        <CountryField label={words.denied} description={words.deniedHint} {...field("denied_countries")} />
        <RangeField label={words.deniedPrefixes} {...field("denied_prefixes")} {...typed("denied_prefixes")} />
        <RangeField label={words.opened} {...field("opened_prefixes")} {...typed("opened_prefixes")} />
        <div>
          <Button type="submit" loading={action.isPending}>
            {words.save}
          </Button>
        </div>
      </form>
    </Section>
  );
}

interface Typed {
  /** Digits that aren't a range yet. */
  typed: string;
  /** True if saving was tried with them. */
  isTried: boolean;
  inputRef: RefObject<HTMLInputElement | null>;
  onType(text: string): void;
}

/** What is typed into the fields of ranges and not added: half a range is another, wider one, so neither leaving nor saving adds it. */
function useTyped() {
  const [texts, setTexts] = useState<Record<RangeName, string>>({ denied_prefixes: "", opened_prefixes: "" });
  const [isTried, setTried] = useState(false);
  const inputs = { denied_prefixes: useRef<HTMLInputElement>(null), opened_prefixes: useRef<HTMLInputElement>(null) };
  const typed = (name: RangeName): Typed => ({
    typed: texts[name],
    isTried,
    inputRef: inputs[name],
    onType(text) {
      setTried(false);
      setTexts((before) => ({ ...before, [name]: text }));
    },
  });
  /** Whether a range isn't added; its field then says so and gets the focus. */
  const isUnfinished = (): boolean => {
    const name = rangeFields.find((one) => isText(texts[one]));
    if (name === undefined) return false;
    setTried(true);
    inputs[name].current?.focus();
    return true;
  };
  return { typed, isUnfinished };
}

interface RangeFieldProps extends Typed {
  label: string;
  value: string[];
  error: string | undefined;
  onChange(ranges: string[]): void;
}

/** Number ranges, added by Enter, or by the button where the keypad has no Enter. */
function RangeField({ label, value, error, typed, isTried, inputRef, onType, onChange }: RangeFieldProps) {
  const words = useWords(reachWords);
  const all = useWords(shared);
  const change = (written: string[]) => onChange([...new Set(written.map((one) => one.replace(/[\s+]/g, "")))]);
  const add = () => {
    change([...value, typed]);
    onType("");
  };
  return (
    <TagsInput
      ref={inputRef}
      label={label}
      description={words.prefixHint}
      inputMode="numeric"
      acceptValueOnBlur={false}
      splitChars={[",", " "]}
      value={value.map((range) => `+${range}`)}
      error={isTried && isText(typed) ? words.notAdded : error}
      searchValue={typed}
      onSearchChange={onType}
      onChange={change}
      rightSectionWidth={72}
      rightSectionPointerEvents="all"
      rightSection={
        isText(typed) ? (
          <Button variant="subtle" size="compact-sm" aria-label={all.about(words.add, typed)} onClick={add}>
            {words.add}
          </Button>
        ) : null
      }
    />
  );
}

function isText(typed: string): boolean {
  return typed.trim() !== "";
}
