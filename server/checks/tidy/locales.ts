import { type Fault, faultsOf, isProduct, type Rule } from "../read/sources.ts";

const localeFile = "web/language/locale.ts";
const advice = `ask ${localeFile}: browsers hand on tags on which Intl throws, such as en-US@posix`;

/** Only one file reads the browser's languages; formats use its tag, or a literal one. */
export const localesAreGuarded: Rule = (files) =>
  files
    .filter(({ path }) => path.startsWith("web/") && isProduct(path) && path !== localeFile)
    .flatMap((file): Fault[] => [
      ...faultsOf(file, /\bnavigator\s*\??\.\s*languages?\b|\bnavigator\[/g, `reads the browser's languages: ${advice}`),
      ...faultsOf(
        file,
        /\bIntl\.(?:\w+Format|PluralRules|Collator|Segmenter|DisplayNames)\((?!locale\b|isoLocale\b|")|\.toLocale\w*\((?!locale\b|")|\.localeCompare\([^(),]*,(?!\s*(?:locale\b|"))/g,
        `formats with a tag that nobody checked: pass the page's \`locale\`, or ${advice}`,
      ),
    ]);
