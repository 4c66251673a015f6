import { Radio, TextInput } from "@mantine/core";
import { useState } from "react";

interface ReasonProps {
  label: string;
  /** The available reasons; `own` asks for a text. */
  reasons: Readonly<Record<string, string>>;
  /** Label of the field for a custom reason. */
  ownLabel: string;
  /** Gets the reason's text, empty while there is none. */
  onChange(text: string): void;
}

/** Asks why something is ignored: for a usual reason or a few words. */
export function Reason({ label, reasons, ownLabel, onChange }: ReasonProps) {
  const [chosen, setChosen] = useState<string | null>(null);
  const [own, setOwn] = useState("");
  const choose = (one: string) => {
    setChosen(one);
    onChange(one === "own" ? own.trim() : (reasons[one] ?? ""));
  };
  const write = (text: string) => {
    setOwn(text);
    onChange(text.trim());
  };
  return (
    <>
      <Radio.Group value={chosen} onChange={choose} label={label}>
        <div className="form" style={{ gap: 8, paddingTop: 6 }}>
          {Object.entries(reasons).map(([one, text]) => (
            <Radio key={one} value={one} label={text} />
          ))}
        </div>
      </Radio.Group>
      {chosen === "own" ? (
        <TextInput label={ownLabel} maxLength={200} value={own} onChange={(event) => write(event.currentTarget.value)} data-autofocus />
      ) : null}
    </>
  );
}
