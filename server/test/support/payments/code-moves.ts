import { fileURLToPath } from "node:url";
import ts from "typescript";
import { isProduct, isTypeScript, readSources } from "../../../checks/read/sources.ts";

/**
 * The transitions that the product's calls of one function make, each as `from>to`, and the calls whose states can't be read from the code.
 */
export interface CodeMoves {
  moves: Set<string>;
  unread: string[];
}

/** The state that a row already has, as `order.status`. */
const same = "the same";

/** Reads every call of `name` whose last argument specifies `from` and `to`; pass `from` if the function's own statement specifies it. */
export function movesInCode(name: string, from?: readonly string[]): CodeMoves {
  const found: CodeMoves = { moves: new Set(), unread: [] };
  const root = fileURLToPath(new URL("../../../../", import.meta.url));
  for (const file of readSources(root).filter(({ path, text }) => isProduct(path) && isTypeScript(path) && text.includes(`${name}(`))) {
    const source = ts.createSourceFile(file.path, file.text, ts.ScriptTarget.Latest, true);
    const visit = (node: ts.Node): void => {
      if (ts.isCallExpression(node) && node.expression.getText() === name) {
        const moves = movesOf(node, from);
        for (const move of moves ?? []) found.moves.add(move);
        if (moves === null) found.unread.push(`${file.path}: ${node.getText()}`);
      }
      node.forEachChild(visit);
    };
    visit(source);
  }
  return found;
}

function movesOf(call: ts.CallExpression, fixed?: readonly string[]): string[] | null {
  const given = call.arguments.at(-1);
  const target = given === undefined ? undefined : memberOf(given, "to");
  const source = given === undefined ? undefined : memberOf(given, "from");
  if (target === undefined || (fixed === undefined && source === undefined)) return null;
  const froms = fixed?.map((state) => ({ state, when: null })) ?? (source === undefined ? [] : statesOf(source));
  const pairs = froms.flatMap((from) =>
    statesOf(target).map((to) => ({ from: from.state === same ? (to.when ?? same) : from.state, to: to.state })),
  );
  if (pairs.length === 0 || pairs.some(({ from, to }) => to === "" || from === "" || (from === same && to !== same))) return null;
  return pairs.filter(({ from, to }) => from !== to && to !== same).map(({ from, to }) => `${from}>${to}`);
}

interface State {
  state: string;
  /** The state that the row must have for it: `order.status === "expired" ? "unpaid" : …`. */
  when: string | null;
}

/** The states that an expression can be: words, lists of them, either branch of a condition, a constant of the same function. */
function statesOf(node: ts.Node, when: string | null = null): State[] {
  if (ts.isAsExpression(node) || ts.isParenthesizedExpression(node)) return statesOf(node.expression, when);
  if (ts.isStringLiteral(node)) return [{ state: node.text, when }];
  if (ts.isArrayLiteralExpression(node)) return node.elements.flatMap((element) => statesOf(element, when));
  if (ts.isPropertyAccessExpression(node) && node.name.text === "status") return [{ state: same, when: null }];
  if (ts.isConditionalExpression(node)) {
    const status = /\b(?:order|found)\.status === "(\w+)"/.exec(node.condition.getText())?.[1] ?? when;
    return [...statesOf(node.whenTrue, status), ...statesOf(node.whenFalse, when)];
  }
  const constant = ts.isIdentifier(node) ? constantOf(node) : undefined;
  return constant === undefined ? [{ state: "", when }] : statesOf(constant, when);
}

/** A member of an object, written there or in a constant that is spread into it. */
function memberOf(node: ts.Node, name: string): ts.Node | undefined {
  if (ts.isAsExpression(node)) return memberOf(node.expression, name);
  if (ts.isIdentifier(node)) {
    const constant = constantOf(node);
    return constant === undefined ? undefined : memberOf(constant, name);
  }
  if (!ts.isObjectLiteralExpression(node)) return undefined;
  for (const property of node.properties) {
    if (ts.isPropertyAssignment(property) && property.name.getText() === name) return property.initializer;
    if (ts.isShorthandPropertyAssignment(property) && property.name.text === name) return property.name;
    const spread = ts.isSpreadAssignment(property) ? memberOf(property.expression, name) : undefined;
    if (spread !== undefined) return spread;
  }
  return undefined;
}

/** What a constant was set to, in the nearest block around its use. */
function constantOf(use: ts.Identifier): ts.Expression | undefined {
  for (let scope: ts.Node | undefined = use.parent; scope !== undefined; scope = scope.parent) {
    if (!ts.isBlock(scope) && !ts.isSourceFile(scope)) continue;
    const declared = scope.statements
      .filter(ts.isVariableStatement)
      .flatMap(({ declarationList }) => [...declarationList.declarations])
      .find((declaration) => declaration.name.getText() === use.text);
    if (declared?.initializer !== undefined) return declared.initializer;
  }
  return undefined;
}
