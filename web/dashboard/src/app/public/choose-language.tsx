import { Menu } from "@mantine/core";
import { languageInfo, languages, useLanguage, useWords } from "../../words/language.tsx";
import { shellWords } from "../../words/shell.words.ts";

/** The other language, next to the logo; a menu if there are several. */
export function ChooseLanguage() {
  const { language, choose } = useLanguage();
  const words = useWords(shellWords);
  const others = languages.filter(({ tag }) => tag !== language);
  const [only] = others;
  if (only === undefined) return null;
  if (others.length === 1)
    return (
      <button type="button" onClick={() => choose(only.tag)} lang={only.html} dir={only.dir}>
        {only.name}
      </button>
    );
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <button type="button" title={words.language}>
          {languageInfo(language).name}
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        {others.map(({ tag, html, name }) => (
          <Menu.Item key={tag} onClick={() => choose(tag)} lang={html}>
            {name}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
