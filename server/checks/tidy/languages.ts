import ts from "typescript";
import { languages } from "../../src/platform/languages/languages.ts";
import { type Fault, isProduct, isTypeScript, type Rule, type SourceFile } from "../read/sources.ts";

const list = "server/src/platform/languages/languages.ts";
const copy = "web/language/languages.ts";
/** Words of the server's rooms; the dashboard's are in `defineWords`. */
const wordFiles = /^server\/src\/.*(?:\/words\/[^/]+|\/words)\.ts$/;

const tags: string[] = languages.map(({ tag }) => tag);
const withRegion = /^[a-z]{2,3}-(?:[A-Z]{2}|[A-Z][a-z]{3})$/;
const inPattern = new RegExp(`(?<![\\w\\\\/.-])(?:${tags.join("|")})(?![\\w/-])`);
const inMarkup = /\blang=(?:"|\\")[a-z]/;

const advice = `the list is ${list}, and words go into defineWords: ask languageInfo, languageOf or chooseLanguage, so that another language is one line and its words`;

/** A language's tag is only in the list and with its words; any other place would have to be found for the next language. */
export const languagesStandOnce: Rule = (files) =>
  files.filter(({ path }) => /^(server\/src|web)\//.test(path) && isProduct(path) && isTypeScript(path) && !isHome(path)).flatMap(faultsIn);

function isHome(path: string): boolean {
  return path === list || path === copy || wordFiles.test(path);
}

function faultsIn(file: SourceFile): Fault[] {
  const source = ts.createSourceFile(file.path, file.text, ts.ScriptTarget.Latest, true);
  const faults: Fault[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && node.expression.getText(source) === "defineWords") return;
    const spelt = speltIn(node, source);
    if (spelt !== null) {
      const line = source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1;
      faults.push({ path: file.path, line, message: `spells a language, ${spelt}: ${advice}` });
    }
    node.forEachChild(visit);
  };
  visit(source);
  return faults;
}

/** How a node spells a language, or null. */
function speltIn(node: ts.Node, source: ts.SourceFile): string | null {
  if (ts.isStringLiteralLike(node)) return isTag(node.text) || inMarkup.test(node.text) ? node.getText(source).slice(0, 40) : null;
  if (ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node)) return inMarkup.test(node.text) ? "in markup" : null;
  if (ts.isRegularExpressionLiteral(node)) return inPattern.test(node.text.slice(1, node.text.lastIndexOf("/"))) ? node.text : null;
  if (ts.isPropertyAccessExpression(node) && tags.includes(node.name.text)) return `.${node.name.text}`;
  if ((ts.isBindingElement(node) || ts.isShorthandPropertyAssignment(node)) && tags.includes(node.name.getText(source)))
    return node.name.getText(source);
  if ((ts.isPropertyAssignment(node) || ts.isPropertySignature(node)) && ts.isIdentifier(node.name) && tags.includes(node.name.text))
    return `${node.name.text}:`;
  return null;
}

function isTag(text: string): boolean {
  return tags.includes(text) || languages.some(({ html, locale }) => html === text || locale === text) || withRegion.test(text);
}
