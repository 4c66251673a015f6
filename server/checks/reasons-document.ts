import { type ReasonWords, reasonWords, type Values } from "../../web/dashboard/src/words/reasons.ts";
import { firstLanguage } from "../src/platform/languages/languages.ts";
import { readReasons } from "./read/reasons.ts";
import type { SourceFile } from "./read/sources.ts";

/** The part of `docs/errors.md` about reasons: each that the server gives, with its values and what the dashboard says of it. */
export function reasonsMarkdown(files: readonly SourceFile[]): string {
  const rows = [...readReasons(files)]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([reason, values]) => `| \`${reason}\` | ${[...values].map((name) => `\`${name}\``).join(", ")} | ${meaningOf(reason)} |`);
  return [
    "## Reasons",
    "",
    "Each entry in `details` has a `reason`, which is more specific than its code and just as stable, and may have `values`. An error that isn't about a single parameter has both next to its `code`. Create your own messages from them; treat a reason you don't know like its code. Reasons are added, never changed.",
    "",
    "| Reason | Values | Means |",
    "|---|---|---|",
    ...rows,
    "",
  ].join("\n");
}

function meaningOf(reason: string): string {
  const words = (reasonWords[firstLanguage] as ReasonWords)[reason];
  const values = new Proxy({} as Values, { get: (_values, name) => `\`${String(name)}\`` });
  return words === undefined ? "" : typeof words === "string" ? words : words(values);
}
