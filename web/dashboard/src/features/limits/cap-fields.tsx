import { TextInput } from "@mantine/core";
import { Section } from "../../parts/pages/page.tsx";
import { useLanguage, useWords } from "../../words/language.tsx";
import { limitWords } from "./limits.words.ts";
import { isMoney, microsText } from "./values/amounts.ts";
import { type Cap, type Given, type Limits, readCap } from "./values/given.ts";

interface CapFieldsProps {
  limits: Limits;
  names: readonly Cap[];
  caps: Given["caps"];
  /** What these caps do, and what an empty field means. */
  text: string;
  faultOf(cap: Cap): string | undefined;
  locked: boolean;
  onChange(caps: Given["caps"]): void;
}

/** Caps on spending, set by the merchant or the operator. */
export function CapFields({ limits, names, caps, text, faultOf, locked, onChange }: CapFieldsProps) {
  const words = useWords(limitWords);
  const { locale } = useLanguage();
  const applied = (name: Cap) => microsText(locale, limits.effective_caps[name], isMoney(name) ? limits.currency : null);
  return (
    <Section title={words.caps}>
      <p className="soft">{text}</p>
      <div className="cap-fields">
        {names.map((name) => (
          <TextInput
            key={name}
            label={words.capNames[name]}
            description={words.capApplies(applied(name))}
            inputMode={isMoney(name) ? "decimal" : "numeric"}
            readOnly={locked}
            rightSection={isMoney(name) ? limits.currency : undefined}
            rightSectionWidth={56}
            value={caps[name]}
            error={readCap(name, caps[name]) === undefined ? words.badNumber : faultOf(name)}
            onChange={(event) => onChange({ ...caps, [name]: event.currentTarget.value })}
          />
        ))}
      </div>
    </Section>
  );
}
