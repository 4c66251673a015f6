import ts from "typescript";
import { type Fault, isProduct, isTypeScript, type Rule, type SourceFile } from "../read/sources.ts";

const ofValues = /^\w+\.parameter_(?:invalid|missing|unknown|conflict)$/;
const reads = /^(?:exec|test|match|matchAll|search|startsWith|endsWith|includes|indexOf|replace|split)$/;
const sentence = /(?:^|\.)message$/;

/** A refusal of a value says why in a form that programs can read. */
export const faultsHaveReasons: Rule = (files) =>
  files.filter(({ path }) => path.startsWith("server/src/") && isProduct(path)).flatMap((file) => faultsIn(file, unreasoned));

/** Messages are for people: the server may change them, and code that parses them then shows nothing, or the wrong thing. */
export const sentencesAreNotParsed: Rule = (files) =>
  files.filter(({ path }) => path.startsWith("web/") && isProduct(path) && isTypeScript(path)).flatMap((file) => faultsIn(file, parsed));

function faultsIn(file: SourceFile, check: (call: ts.CallExpression, source: ts.SourceFile) => string | null): Fault[] {
  const source = ts.createSourceFile(file.path, file.text, ts.ScriptTarget.Latest, true);
  const faults: Fault[] = [];
  const visit = (node: ts.Node): void => {
    const message = ts.isCallExpression(node) ? check(node, source) : null;
    if (message !== null)
      faults.push({ path: file.path, line: source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1, message });
    node.forEachChild(visit);
  };
  visit(source);
  return faults;
}

function unreasoned(call: ts.CallExpression, source: ts.SourceFile): string | null {
  if (!ofValues.test(call.expression.getText(source))) return null;
  const [given] = call.arguments;
  if (given === undefined || !ts.isObjectLiteralExpression(given)) return null;
  const says = given.properties.some((one) => ts.isSpreadAssignment(one) || /^(?:reason|details)$/.test(one.name?.getText(source) ?? ""));
  return says
    ? null
    : "refuses a value without a reason: name one, with its values, and give it words in web/dashboard/src/words/reasons.ts";
}

function parsed(call: ts.CallExpression, source: ts.SourceFile): string | null {
  const { expression } = call;
  if (!ts.isPropertyAccessExpression(expression) || !reads.test(expression.name.text)) return null;
  const isRead = [expression.expression, ...call.arguments].some((one) => sentence.test(one.getText(source)));
  return isRead ? "reads an error's sentence by a pattern: decide by its code, or by the reason and values of each fault" : null;
}
