import { Checkbox } from "@mantine/core";
import { type ReactNode, use } from "react";
import { SelectionContext } from "./selection.tsx";
import "./selection.css";

interface SelectionBarProps {
  label: string;
  /** Checkboxes that select several rows at once; one without rows isn't shown. */
  choices: readonly { label: string; ids: readonly string[] }[];
  /** True if nothing is selected: a phone then doesn't show the buttons. */
  idle: boolean;
  /** Buttons for what is selected. */
  children: ReactNode;
}

/** What one click does for all selected rows. It stays in view while the list is scrolled. */
export function SelectionBar({ label, choices, idle, children }: SelectionBarProps) {
  return (
    <div className="selection-bar" role="toolbar" aria-label={label}>
      {choices.map((choice) => (
        <PickAll key={choice.label} {...choice} />
      ))}
      <span className="selection-actions" data-idle={idle}>
        {children}
      </span>
    </div>
  );
}

function PickAll({ label, ids }: { label: string; ids: readonly string[] }) {
  const selection = use(SelectionContext);
  if (selection === null || ids.length === 0) return null;
  const count = ids.filter((id) => selection.picked.has(id)).length;
  return (
    <Checkbox
      label={label}
      checked={count === ids.length}
      indeterminate={count > 0 && count < ids.length}
      onChange={(event) => selection.pick(ids, event.currentTarget.checked)}
    />
  );
}
