import { Switch, TextInput } from "@mantine/core";
import { Section } from "../../parts/page.tsx";
import { useWords } from "../../words/language.tsx";
import type { Limits } from "./given.ts";
import { limitWords } from "./limits.words.ts";

type Quiet = Limits["quiet_hours"];

const usual = { from: "21:00", to: "08:00" };

interface QuietFieldsProps {
  quiet: Quiet;
  locked: boolean;
  onChange(quiet: Quiet): void;
}

/** When messages wait, by the recipients' clocks. */
export function QuietFields({ quiet, locked, onChange }: QuietFieldsProps) {
  const words = useWords(limitWords);
  return (
    <Section title={words.quiet}>
      <p className="soft">{words.quietText}</p>
      {(["marketing", "transactional", "calls"] as const).map((kind) => {
        const hours = quiet[kind];
        const set = (next: Quiet[typeof kind]) => onChange({ ...quiet, [kind]: next });
        return (
          <div key={kind} className="quiet-line">
            <Switch
              label={words.kinds[kind]}
              disabled={locked}
              checked={hours !== null}
              onChange={(event) => set(event.currentTarget.checked ? usual : null)}
            />
            {hours === null ? null : (
              <>
                <TextInput
                  type="time"
                  aria-label={`${words.kinds[kind]}: ${words.from}`}
                  readOnly={locked}
                  value={hours.from}
                  onChange={(event) => set({ ...hours, from: event.currentTarget.value })}
                />
                <span aria-hidden="true">–</span>
                <TextInput
                  type="time"
                  aria-label={`${words.kinds[kind]}: ${words.to}`}
                  readOnly={locked}
                  value={hours.to}
                  onChange={(event) => set({ ...hours, to: event.currentTarget.value })}
                />
              </>
            )}
          </div>
        );
      })}
    </Section>
  );
}
