import ts from "typescript";
import { isProduct, isSqlFile, type SourceFile } from "./sources.ts";

/** One SQL statement of the product: its text with `?` for each value, fragments spliced in, comments kept. */
export interface Statement {
  path: string;
  line: number;
  /** The function that sends it. */
  name: string;
  /** What its template is tagged with: `sql(db)`. */
  tag: string;
  text: string;
}

/**
 * Reads every statement of the sql files. A template written inside another's `${}`, or by a function called there, is part of that
 * statement.
 */
export function readStatements(files: readonly SourceFile[]): Statement[] {
  return files.filter((file) => isSqlFile(file.path) && isProduct(file.path)).flatMap(statementsOf);
}

function statementsOf(file: SourceFile): Statement[] {
  const source = ts.createSourceFile(file.path, file.text, ts.ScriptTarget.Latest, true);
  const named = namedIn(source);
  const found: Statement[] = [];
  const visit = (node: ts.Node, name: string): void => {
    if (!isSql(node)) {
      node.forEachChild((child) => visit(child, name));
      return;
    }
    const text = textOf(node, { named, within: name, open: new Set() });
    if (startsStatement(text))
      found.push({
        path: file.path,
        line: source.getLineAndCharacterOfPosition(node.getStart()).line + 1,
        name,
        tag: node.tag.getText(),
        text,
      });
  };
  for (const statement of source.statements) visit(statement, namesOf(statement)[0] ?? "");
  return found;
}

interface Reader {
  named: Map<string, ts.Node>;
  /** The function that is being read. */
  within: string;
  /** Names being read, so that a recursive function is read once. */
  open: Set<string>;
}

function textOf(node: ts.TaggedTemplateExpression, reader: Reader): string {
  const { template } = node;
  if (ts.isNoSubstitutionTemplateLiteral(template)) return template.text;
  return (
    template.head.text + template.templateSpans.map((span) => `${splicedText(span.expression, reader) ?? "?"}${span.literal.text}`).join("")
  );
}

/** The SQL inside an expression, or null if it is a value. */
function splicedText(expression: ts.Node, reader: Reader): string | null {
  if (isSql(expression)) return textOf(expression, reader);
  const name = calledName(expression);
  const definition = name === null ? undefined : (reader.named.get(`${reader.within} ${name}`) ?? reader.named.get(name));
  if (name !== null && definition !== undefined && !reader.open.has(name)) {
    reader.open.add(name);
    const text = innerText(definition, reader.named.has(name) ? { ...reader, within: name } : reader);
    reader.open.delete(name);
    return text;
  }
  return innerText(expression, reader);
}

function innerText(node: ts.Node, reader: Reader): string | null {
  const texts: string[] = [];
  node.forEachChild((child) => {
    const text = splicedText(child, reader);
    if (text !== null) texts.push(text);
  });
  return texts.length === 0 ? null : texts.join(" ");
}

function calledName(node: ts.Node): string | null {
  if (ts.isCallExpression(node) && ts.isIdentifier(node.expression)) return node.expression.text;
  return ts.isIdentifier(node) ? node.text : null;
}

/** Functions and constants that contain SQL to be spliced in: those of the file by name, those inside a function by its name and theirs. */
function namedIn(source: ts.SourceFile): Map<string, ts.Node> {
  const named = new Map<string, ts.Node>();
  for (const statement of source.statements) {
    const [outer] = namesOf(statement);
    if (outer === undefined || !holdsSql(statement)) continue;
    named.set(outer, statement);
    const visit = (node: ts.Node): void => {
      if (ts.isVariableDeclaration(node) && node.initializer !== undefined && !isAwaited(node.initializer) && holdsSql(node))
        named.set(`${outer} ${node.name.getText()}`, node);
      node.forEachChild(visit);
    };
    if (ts.isFunctionDeclaration(statement)) visit(statement);
  }
  return named;
}

function namesOf(statement: ts.Statement): string[] {
  if (ts.isFunctionDeclaration(statement)) return statement.name === undefined ? [] : [statement.name.text];
  return ts.isVariableStatement(statement) ? statement.declarationList.declarations.map((declaration) => declaration.name.getText()) : [];
}

/** The rows that a statement returned, not the statement. */
function isAwaited(node: ts.Node): boolean {
  return ts.isAwaitExpression(node) || node.forEachChild((child) => (isAwaited(child) ? true : undefined)) === true;
}

function holdsSql(node: ts.Node): boolean {
  return isSql(node) || node.forEachChild((child) => (holdsSql(child) ? true : undefined)) === true;
}

/** Every tagged template of a sql file is SQL: the tag is `sql(db)`, or a local name for it. */
function isSql(node: ts.Node): node is ts.TaggedTemplateExpression {
  return ts.isTaggedTemplateExpression(node);
}

function startsStatement(text: string): boolean {
  return /^(select|insert|update|delete|with|truncate|merge|copy|lock|set)\b/i.test(withoutComments(text).trim());
}

export function withoutComments(text: string): string {
  return text.replace(/--[^\n]*/g, "").replace(/\/\*[\s\S]*?\*\//g, "");
}
