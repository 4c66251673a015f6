import ts from "typescript";
import { type Fault, isProduct, isTypeScript, type Rule, type SourceFile } from "../read/sources.ts";

const gathering = new Set(["all", "allSettled", "any", "race"]);

/**
 * Concurrent statements of one transaction go through `pipeline`: with other constructs, an await in between can change their order
 * unnoticed.
 */
export const statementsGoTogetherByPipeline: Rule = (files) =>
  files
    .filter(({ path, text }) => path.startsWith("server/src/") && isTypeScript(path) && isProduct(path) && /\b(?:Tx|tx)\b/.test(text))
    .flatMap(faultsIn);

function faultsIn(file: SourceFile): Fault[] {
  const source = ts.createSourceFile(file.path, file.text, ts.ScriptTarget.Latest, true);
  const faults: Fault[] = [];
  const refuse = (node: ts.Node, message: string) =>
    faults.push({ path: file.path, line: source.getLineAndCharacterOfPosition(node.getStart()).line + 1, message });
  const visit = (node: ts.Node, handles: ReadonlySet<string>): void => {
    const known = ts.isFunctionLike(node) ? new Set([...handles, ...handlesOf(node)]) : handles;
    if (isGathering(node) && node.arguments.some((one) => names(one, known)))
      refuse(node, "gathers statements of a transaction: send them with `pipeline`");
    if (
      ts.isVariableDeclaration(node) &&
      node.initializer !== undefined &&
      ts.isCallExpression(node.initializer) &&
      isStarted(node.initializer, known)
    )
      refuse(node, "begins a statement of a transaction without awaiting it: send it with the others by `pipeline`");
    node.forEachChild((child) => visit(child, known));
  };
  visit(source, new Set());
  return faults;
}

/** Parameters that are a transaction, by their type or by the usual name of a transaction. */
function handlesOf(node: ts.SignatureDeclaration): string[] {
  return node.parameters
    .filter(({ type, name }) => type?.getText() === "Tx" || (type === undefined && ["tx", "inner"].includes(name.getText())))
    .map(({ name }) => name.getText());
}

function isGathering(node: ts.Node): node is ts.CallExpression {
  if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return false;
  return node.expression.expression.getText() === "Promise" && gathering.has(node.expression.name.text);
}

function names(node: ts.Node, handles: ReadonlySet<string>): boolean {
  return (
    (ts.isIdentifier(node) && handles.has(node.text)) || node.forEachChild((child) => (names(child, handles) ? true : undefined)) === true
  );
}

/** A call of one of our functions with the transaction as its first argument; in sql files most of these make parts of a statement. */
function isStarted(call: ts.CallExpression, handles: ReadonlySet<string>): boolean {
  const [first] = call.arguments;
  const isOurs = ts.isIdentifier(call.expression) && /^(?:insert|update|delete|lock|find|list|count)[A-Z]/.test(call.expression.text);
  return (
    isOurs && first !== undefined && ts.isIdentifier(first) && handles.has(first.text) && !call.getSourceFile().fileName.endsWith("sql.ts")
  );
}
