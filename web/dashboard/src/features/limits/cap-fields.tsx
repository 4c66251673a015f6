import { TextInput } from "@mantine/core";
import { Section } from "../../parts/pages/page.tsx";
import { useLanguage, useWords } from "../../words/language.tsx";
import { isMoney, microsText } from "./amounts.ts";
import { type Cap, type Given, type Limits, readCap } from "./given.ts";
import { limitWords } from "./limits.words.ts";

interface CapFieldsProps {
  limits: Limits;
  names: readonly Cap[];
  caps: Given["caps"];
  faultOf(field: string): string | undefined;
  locked: boolean;
  onChange(caps: Given["caps"]): void;
}

/** What may be spent, below what the server allows. */
export function CapFields({ limits, names, caps, faultOf, locked, onChange }: CapFieldsProps) {
  const words = useWords(limitWords);
  const { locale } = useLanguage();
  const applied = (name: Cap) => microsText(locale, limits.effective_caps[name], isMoney(name) ? limits.currency : null);
  return (
    <Section title={words.caps}>
      <p className="soft">{words.capsText}</p>
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
            error={readCap(name, caps[name]) === undefined ? words.badNumber : faultOf(`caps.${name}`)}
            onChange={(event) => onChange({ ...caps, [name]: event.currentTarget.value })}
          />
        ))}
      </div>
    </Section>
  );
}
