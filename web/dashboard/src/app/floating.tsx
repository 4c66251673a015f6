import { defineWords, useWords } from "../words/language.tsx";

const words = defineWords({ en: { label: "Menus and dialogs" }, zh: { label: "菜单和对话框" } });

/** Where menus, dialogs and hints are put. */
export function Floating() {
  return <section id="floating" aria-label={useWords(words).label} />;
}
