import ts from "typescript";
import { isProduct, isTypeScript, type SourceFile } from "./sources.ts";

/** Where the schemas' own keywords get their reasons. */
const ofKeywords = "server/src/requests/validation/reasons.ts";

/**
 * Every reason that the server gives, with the names of its values: from objects that also have a sentence or are passed to an error's
 * constructor, and from schemas.
 */
export function readReasons(files: readonly SourceFile[]): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  const ours = files.filter(({ path }) => path.startsWith("server/src/") && isProduct(path) && isTypeScript(path));
  for (const file of ours.filter(({ text }) => text.includes("reason"))) {
    const source = ts.createSourceFile(file.path, file.text, ts.ScriptTarget.Latest, true);
    const visit = (node: ts.Node): void => {
      if (ts.isObjectLiteralExpression(node)) {
        for (const reason of reasonsOf(node, { source, all: file.path === ofKeywords }))
          found.set(reason, (found.get(reason) ?? new Set()).union(new Set(valuesOf(node, source))));
      }
      node.forEachChild(visit);
    };
    visit(source);
  }
  return found;
}

function reasonsOf(node: ts.ObjectLiteralExpression, { source, all }: { source: ts.SourceFile; all: boolean }): string[] {
  const isFault =
    all ||
    [node, spreadInto(node)].some((one) => one !== undefined && propertyOf(one, "message") !== undefined) ||
    (ts.isCallExpression(node.parent) && /Errors\.\w+$/.test(node.parent.expression.getText(source)));
  const given = [named(node, "x-reason"), isFault ? named(node, "reason") : undefined];
  return given
    .filter((one) => one !== undefined && !ts.isObjectLiteralExpression(one))
    .flatMap((one) => [...(one as ts.Node).getText(source).matchAll(/(?:^|\? |: )"([a-z0-9_]+)"/g)].map(([, reason = ""]) => reason));
}

function valuesOf(node: ts.ObjectLiteralExpression, source: ts.SourceFile): string[] {
  const given = node.properties
    .flatMap((one) => (ts.isSpreadAssignment(one) ? literalsIn(one.expression) : []))
    .map((one) => named(one, "values"));
  return [named(node, "values"), ...given].flatMap((values) =>
    values !== undefined && ts.isObjectLiteralExpression(values) ? values.properties.flatMap((one) => one.name?.getText(source) ?? []) : [],
  );
}

/** The object that a literal is written out in: `{ ...{ reason }, message }`. */
function spreadInto({ parent }: ts.ObjectLiteralExpression): ts.ObjectLiteralExpression | undefined {
  return ts.isSpreadAssignment(parent) ? parent.parent : undefined;
}

/** The objects that a spread may add. */
function literalsIn(node: ts.Expression): ts.ObjectLiteralExpression[] {
  if (ts.isParenthesizedExpression(node)) return literalsIn(node.expression);
  if (ts.isConditionalExpression(node)) return [...literalsIn(node.whenTrue), ...literalsIn(node.whenFalse)];
  return ts.isObjectLiteralExpression(node) ? [node] : [];
}

function propertyOf(node: ts.ObjectLiteralExpression, property: string): ts.ObjectLiteralElementLike | undefined {
  return node.properties.find((one) => one.name !== undefined && (one.name as ts.Identifier | ts.StringLiteral).text === property);
}

/** What an object's property is set to. */
function named(node: ts.ObjectLiteralExpression, property: string): ts.Node | undefined {
  const found = propertyOf(node, property);
  return found !== undefined && ts.isPropertyAssignment(found) ? found.initializer : undefined;
}
