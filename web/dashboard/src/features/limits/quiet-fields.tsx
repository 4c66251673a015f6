import { Input, Switch, TextInput } from "@mantine/core";
import { useId } from "react";
import { Section } from "../../parts/pages/page.tsx";
import { useWords } from "../../words/language.tsx";
import { shared } from "../../words/shared.ts";
import { limitWords } from "./limits.words.ts";
import { type Limits, type QuietKind, quietKinds } from "./values/given.ts";

type Quiet = Limits["quiet_hours"];
type Hours = NonNullable<Quiet[QuietKind]>;

const usual = { from: "21:00", to: "08:00" };

interface QuietFieldsProps {
  quiet: Quiet;
  faultOf(field: string): string | undefined;
  locked: boolean;
  onChange(quiet: Quiet): void;
}

/** When messages wait, on the recipients' clocks. */
export function QuietFields({ quiet, faultOf, locked, onChange }: QuietFieldsProps) {
  const words = useWords(limitWords);
  return (
    <Section title={words.quiet}>
      <p className="soft">{words.quietText}</p>
      {quietKinds.map((kind) => {
        const hours = quiet[kind];
        const set = (next: Hours | null) => onChange({ ...quiet, [kind]: next });
        return (
          <div key={kind} className="quiet-line">
            <Switch
              label={words.kinds[kind]}
              disabled={locked}
              checked={hours !== null}
              onChange={(event) => set(event.currentTarget.checked ? usual : null)}
            />
            {hours === null ? null : (
              <HourFields name={words.kinds[kind]} hours={hours} fault={faultOf(`quiet_hours.${kind}`)} locked={locked} onChange={set} />
            )}
          </div>
        );
      })}
    </Section>
  );
}

interface HourFieldsProps {
  /** What the hours apply to. */
  name: string;
  hours: Hours;
  fault: string | undefined;
  locked: boolean;
  onChange(hours: Hours): void;
}

/** From when until when, with one sentence for an error of either. */
function HourFields({ name, hours, fault, locked, onChange }: HourFieldsProps) {
  const all = useWords(shared);
  const words = useWords(limitWords);
  const id = useId();
  const field = (side: keyof Hours) => (
    <TextInput
      type="time"
      aria-label={all.about(name, words[side])}
      aria-describedby={fault === undefined ? undefined : id}
      readOnly={locked}
      value={hours[side]}
      error={fault !== undefined}
      onChange={(event) => onChange({ ...hours, [side]: event.currentTarget.value })}
    />
  );
  return (
    <>
      <div className="quiet-hours">
        {field("from")}
        <span aria-hidden="true">–</span>
        {field("to")}
      </div>
      {fault === undefined ? null : (
        <Input.Error id={id} className="quiet-fault">
          {fault}
        </Input.Error>
      )}
    </>
  );
}
