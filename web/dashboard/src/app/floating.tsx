import { defineWords, useWords } from "../words/language.tsx";

const words = defineWords({ en: { label: "Menus and dialogs" }, zh: { label: "菜单和对话框" } });

/** The container of menus, dialogs and hints. */
export function Floating() {
  return <section id="floating" aria-label={useWords(words).label} />;
}
