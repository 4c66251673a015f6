import ts from "typescript";
import { type Fault, isProduct, isTest, isTypeScript, type Rule, type SourceFile } from "../read/sources.ts";

const columns = 140;
const fileLines = 300;
const functionLines = 50;
const parameters = 3;
const filesInFolder = 15;
const onlyTests = /^(server\/test|web\/e2e)\//;

/** Lines of at most 140 columns, so that two files fit side by side. */
export const linesFit: Rule = (files) =>
  files.flatMap(({ path, text }) =>
    text
      .split("\n")
      .flatMap((line, at) =>
        line.length > columns ? [{ path, line: at + 1, message: `a line of ${line.length} columns, more than ${columns}: break it` }] : [],
      ),
  );

/** Files of at most 300 lines. */
export const filesAreShort: Rule = (files) =>
  files
    .filter((file) => isTypeScript(file.path) && linesOf(file.text) > fileLines)
    .map((file) => ({ path: file.path, message: `has ${linesOf(file.text)} lines, more than ${fileLines}: move one concern into a file of its own` }));

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
    faults.push({ path: source.fileName, line, message: `a function of ${last - line + 1} lines, more than ${functionLines}: give its steps names` });
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
