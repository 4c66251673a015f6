import ts from "typescript";
import { type Fault, isProduct, type Rule, type SourceFile } from "../read/sources.ts";

/** Built on the dashboard's StillButton, which keeps the focus while it waits. */
const still = new Set(["Button", "ActionIcon"]);
const stillButton = "web/dashboard/src/look/still-button.tsx";

/** What is pressed in the dashboard keeps the focus while it waits: `disabled` on any other button moves the focus out of the page. */
export const pressedStaysFocused: Rule = (files) =>
  files
    .filter(({ path }) => path.startsWith("web/dashboard/") && path.endsWith(".tsx") && isProduct(path) && path !== stillButton)
    .flatMap(faultsIn);

function faultsIn(file: SourceFile): Fault[] {
  const source = ts.createSourceFile(file.path, file.text, ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX);
  const faults: Fault[] = [];
  const visit = (node: ts.Node): void => {
    const wrong = ts.isJsxOpeningLikeElement(node) ? wrongWith(node) : null;
    if (wrong !== null)
      faults.push({ path: file.path, line: source.getLineAndCharacterOfPosition(node.getStart()).line + 1, message: wrong });
    node.forEachChild(visit);
  };
  visit(source);
  return faults;
}

function wrongWith(element: ts.JsxOpeningLikeElement): string | null {
  const tag = element.tagName.getText();
  const names = element.attributes.properties.map((one) => one.name?.getText() ?? "");
  if (!names.includes("disabled") && !names.includes("loading")) return null;
  if (still.has(tag))
    return names.includes("component")
      ? `${tag} of another component loses the keyboard when it is disabled: leave \`component\` to the theme`
      : null;
  return /button|\bItem$|\bTab$/i.test(tag) ? `${tag} loses the keyboard when it is disabled: take Button or ActionIcon` : null;
}
