import { Select, Textarea, UnstyledButton } from "@mantine/core";
import { useState } from "react";
import { firstLanguage } from "../../../../../language/languages.ts";
import { Field, PasswordField } from "../../../parts/fields/field.tsx";
import { useLanguage, useWords } from "../../../words/language.tsx";
import { shared } from "../../../words/shared.ts";
import type { CredentialField } from "./account.ts";
import { gatewayWords } from "./gateways.words.ts";

/** The typed texts, by field name. */
export type Typed = Record<string, string>;

interface FieldsProps {
  fields: readonly CredentialField[];
  typed: Typed;
  faults: Record<string, string>;
  /** The placeholder of an empty field. */
  placeholderOf?(field: CredentialField): string | undefined;
  /** True if fields may stay empty: empty ones aren't changed. */
  keeps?: boolean;
  onType(typed: Typed): void;
}

/** The form of a gateway's account: each field with where to find it at the provider. */
export function CredentialFields({ fields, typed, faults, placeholderOf, keeps = false, onType }: FieldsProps) {
  return fields.map((field) => (
    <CredentialInput
      key={field.name}
      field={field}
      value={typed[field.name] ?? ""}
      fault={faults[`fields.${field.name}`]}
      placeholder={placeholderOf?.(field)}
      isOptional={!field.required || keeps}
      onType={(value) => onType({ ...typed, [field.name]: value })}
    />
  ));
}

interface InputProps {
  field: CredentialField;
  value: string;
  fault: string | undefined;
  placeholder?: string | undefined;
  isOptional: boolean;
  onType(value: string): void;
}

/** One field. A secret is masked, also one of several lines. */
export function CredentialInput({ field, value, fault, placeholder, isOptional, onType }: InputProps) {
  const all = useWords(shared);
  const inLanguage = useInLanguage();
  const label = inLanguage(field.names);
  const given = {
    // A choice always has a value.
    label: isOptional && !field.required && field.choices === null ? all.optionally(label) : label,
    description: inLanguage(field.hints),
    error: fault,
    value,
    autoComplete: "off",
    spellCheck: false,
    "data-1p-ignore": true,
    ...(placeholder === undefined ? {} : { placeholder }),
  };
  if (field.choices !== null) return <Choice {...given} choices={field.choices} onType={onType} />;
  if (field.multiline) return <Lines {...given} isSecret={field.secret} onType={onType} />;
  if (!field.secret) return <Field {...given} onWrite={onType} />;
  return <PasswordField {...given} visibilityToggleButtonProps={{ "aria-label": all.showSecret }} onWrite={onType} />;
}

interface ChoiceProps {
  label: string;
  description: string;
  error: string | undefined;
  value: string;
  choices: NonNullable<CredentialField["choices"]>;
  onType(value: string): void;
}

/** One of the values that the field can have. Left alone, it is the default: the first. */
function Choice({ label, description, error, value, choices, onType }: ChoiceProps) {
  const inLanguage = useInLanguage();
  return (
    <Select
      {...{ label, description, error }}
      allowDeselect={false}
      data={choices.map((choice) => ({ value: choice.value, label: inLanguage(choice.names) }))}
      value={value === "" ? (choices[0]?.value ?? null) : value}
      onChange={(chosen) => onType(chosen ?? "")}
    />
  );
}

interface LinesProps {
  label: string;
  value: string;
  isSecret: boolean;
  onType(value: string): void;
}

/** A multi-line text, such as a key in PEM. */
function Lines({ isSecret, onType, ...given }: LinesProps) {
  const words = useWords(gatewayWords);
  const all = useWords(shared);
  const [shown, setShown] = useState(false);
  const masked = isSecret && !shown;
  return (
    <div className="secret-lines">
      <Textarea
        {...given}
        autosize
        minRows={3}
        maxRows={8}
        className={masked ? "masked" : ""}
        onChange={(event) => onType(event.currentTarget.value)}
      />
      {isSecret && given.value !== "" ? (
        <UnstyledButton
          className="link-button"
          aria-label={all.about(masked ? words.show : words.hide, given.label)}
          onClick={() => setShown(!shown)}
        >
          {masked ? words.show : words.hide}
        </UnstyledButton>
      ) : null}
    </div>
  );
}

/** Returns a text of the API in the reader's language; the default language always exists. */
export function useInLanguage(): (texts: Readonly<Record<string, string>>) => string {
  const { language } = useLanguage();
  return (texts) => texts[language] ?? texts[firstLanguage] ?? "";
}
