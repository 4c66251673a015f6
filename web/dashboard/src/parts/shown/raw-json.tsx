import { IconCode } from "@tabler/icons-react";
import { useState } from "react";
import { useWords } from "../../words/language.tsx";
import { shared } from "../../words/shared.ts";
import { CopyButton } from "./copy.tsx";

/** The object as the API returns it, one click away. */
export function RawJson({ value }: { value: unknown }) {
  const words = useWords(shared);
  const [open, setOpen] = useState(false);
  return (
    <details className="raw" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <IconCode size={16} stroke={1.5} aria-hidden />
        {words.raw}
      </summary>
      {open ? <CodeBlock text={JSON.stringify(value, null, 2)} /> : null}
    </details>
  );
}

/** A program's text, with a copy button. Scrolls by keyboard. */
export function CodeBlock({ text, label }: { text: string; label?: string }) {
  return (
    <div className="code-block">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <section tabIndex={0} aria-label={label ?? "JSON"}>
        <pre translate="no">{text}</pre>
      </section>
      <CopyButton text={text} />
    </div>
  );
}
