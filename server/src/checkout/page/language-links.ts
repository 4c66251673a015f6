import { html } from "ghtml";
import { type Language, type LanguageInfo, languageInfo, languages } from "#platform/index.ts";

/** Links to every other language: one link if there is one, a list that opens if there are more. Needs no script. */
export function languageLinks(current: Language, hrefOf: (language: Language) => string): string {
  const others = languages.filter(({ tag }) => tag !== current);
  const [only, second] = others;
  if (only === undefined) return "";
  if (second === undefined) return linkTo(only, { href: hrefOf(only.tag), look: "round", text: only.short });
  const entries = others.map((one) => html`<li>!${linkTo(one, { href: hrefOf(one.tag), look: "", text: one.name })}</li>`);
  return html`<details class="languages"><summary class="round">${languageInfo(current).short}</summary><ul>!${entries}</ul></details>`;
}

function linkTo({ html: lang, tag, dir }: LanguageInfo, { href, look, text }: { href: string; look: string; text: string }): string {
  return html`<a class="${look}" href="${href}" lang="${lang}" hreflang="${tag}" dir="${dir}">${text}</a>`;
}
