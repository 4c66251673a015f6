import ts from "typescript";
import { ladder } from "../read/ladder.ts";
import { type Fault, isProduct, isTest, isTypeScript, type Rule, roomOf, type SourceFile } from "../read/sources.ts";

const columns = 140;
/** What may follow a text on its line, such as `, async () => {`. */
const behindText = 30;
const fileLines = 300;
const functionLines = 50;
const parameters = 3;
const filesInFolder = 15;
const roomLines = 12_000;
const onlyTests = /^(server\/test|web\/e2e)\//;

/** Migrations up to this one have run, so they are never changed. */
const lastLongMigration = "server/migrations/0140";

/**
 * Lines of at most 140 columns, so that two files fit side by side. Strings, texts in templates and regular expressions aren't cut for
 * that; SQL can be broken anywhere.
 */
export const linesFit: Rule = (files) =>
  files
    .filter(({ path }) => !path.endsWith(".sql") || path.slice(0, lastLongMigration.length) > lastLongMigration)
    .flatMap((file) => longLinesOf(file).map((line) => tooLong(file, line)));

function longLinesOf(file: SourceFile): number[] {
  const lines = file.text.split("\n");
  const long = [...lines.keys()].filter((at) => (lines[at] as string).length > columns);
  if (long.length === 0 || !/\.(ts|tsx|mjs)$/.test(file.path)) return long;
  const source = ts.createSourceFile(file.path, file.text, ts.ScriptTarget.Latest, true);
  const texts = listTexts(source);
  const starts = source.getLineStarts();
  return long.filter((at) => {
    const limit = (starts[at] as number) + columns;
    return !texts.some((text) => text.getStart(source) < limit && text.end > limit - behindText);
  });
}

/** The nodes that can't be broken over lines without changing what they say. */
function listTexts(source: ts.SourceFile): ts.Node[] {
  const texts: ts.Node[] = [];
  const visit = (node: ts.Node): void => {
    const isText = ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node) || ts.isTemplateExpression(node);
    if ((isText && !isSql(node)) || ts.isRegularExpressionLiteral(node)) texts.push(node);
    node.forEachChild(visit);
  };
  visit(source);
  return texts;
}

function isSql(template: ts.Node): boolean {
  return ts.isTaggedTemplateExpression(template.parent) && /^(sql|byKey|tag)\b/.test(template.parent.tag.getText());
}

function tooLong({ path, text }: SourceFile, at: number): Fault {
  const { length } = text.split("\n")[at] as string;
  return { path, line: at + 1, message: `a line of ${length} columns, more than ${columns}: break it` };
}

/** Files of at most 300 lines. */
export const filesAreShort: Rule = (files) =>
  files
    .filter((file) => isTypeScript(file.path) && linesOf(file.text) > fileLines)
    .map((file) => ({
      path: file.path,
      message: `has ${linesOf(file.text)} lines, more than ${fileLines}: move one concern into a file of its own`,
    }));

/** Functions of at most 50 lines and three parameters. A test's groups may be longer: they are lists. */
export const functionsAreShort: Rule = (files) => files.filter((file) => isTypeScript(file.path)).flatMap(functionFaults);

/** At most 15 files in a folder. Next to the product's files its tests aren't counted; in folders with only tests, they are. */
export const foldersAreSmall: Rule = (files) => {
  const folders = Map.groupBy(
    files.filter(({ path }) => (/^(server\/src|web)\//.test(path) && isProduct(path)) || onlyTests.test(path)),
    (file) => file.path.slice(0, file.path.lastIndexOf("/")),
  );
  return [...folders]
    .filter(([, inside]) => inside.length > filesInFolder)
    .map(([path, inside]) => ({ path, message: `holds ${inside.length} files, more than ${filesInFolder}: sort them into subfolders` }));
};

/** Rooms of at most 12 000 lines without their tests. It isn't for providers: they are next to the ladder and don't know each other. */
export const roomsAreSmall: Rule = (files) => {
  const rooms = new Set<string | null>(ladder);
  const byRoom = Map.groupBy(
    files.filter(({ path }) => isProduct(path) && isTypeScript(path) && rooms.has(roomOf(path))),
    ({ path }) => `server/src/${roomOf(path)}`,
  );
  return [...byRoom]
    .map(([path, inside]) => ({ path, lines: inside.reduce((sum, { text }) => sum + linesOf(text), 0) }))
    .filter(({ lines }) => lines > roomLines)
    .map(({ path, lines }) => ({
      path,
      message: `has ${lines} lines, more than ${roomLines}: move what only combines the rest into a room above it, or what the rest uses into one below`,
    }));
};

function functionFaults(file: SourceFile): Fault[] {
  const source = ts.createSourceFile(file.path, file.text, ts.ScriptTarget.Latest, true);
  const faults: Fault[] = [];
  const visit = (node: ts.Node): void => {
    if (isFunction(node)) faults.push(...faultsOfFunction(node, source));
    node.forEachChild(visit);
  };
  visit(source);
  return faults;
}

type FunctionNode = ts.FunctionLikeDeclaration & { body: ts.Node };

function isFunction(node: ts.Node): node is FunctionNode {
  return ts.isFunctionLike(node) && (node as ts.FunctionLikeDeclaration).body !== undefined;
}

function faultsOfFunction(node: FunctionNode, source: ts.SourceFile): Fault[] {
  const line = source.getLineAndCharacterOfPosition(node.getStart()).line + 1;
  const last = source.getLineAndCharacterOfPosition(node.end).line + 1;
  const faults: Fault[] = [];
  if (last - line + 1 > functionLines && !isListOfTests(node, source.fileName)) {
    faults.push({
      path: source.fileName,
      line,
      message: `a function of ${last - line + 1} lines, more than ${functionLines}: give its steps names`,
    });
  }
  const count = node.parameters.filter((parameter) => parameter.name.getText() !== "this").length;
  if (count > parameters && isOurSignature(node)) {
    faults.push({
      path: source.fileName,
      line,
      message: `a function of ${count} parameters, more than ${parameters}: gather the later ones in one named object`,
    });
  }
  return faults;
}

/** A callback without written types has the signature that its caller gives it. */
function isOurSignature(node: FunctionNode): boolean {
  return !ts.isConstructorDeclaration(node) && node.parameters.some((parameter) => parameter.type !== undefined);
}

function isListOfTests(node: ts.Node, path: string): boolean {
  return isTest(path) && ts.isCallExpression(node.parent) && /^describe\b/.test(node.parent.expression.getText());
}

function linesOf(text: string): number {
  return text.replace(/\n$/, "").split("\n").length;
}
