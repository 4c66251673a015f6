import { fileURLToPath } from "node:url";
import ts from "typescript";
import type { Recorded } from "./record-answers.ts";

/** Which of a library's types an answer must have. */
export interface AnswerType {
  /** Of the request, as in `GET /v1/refunds/…`: ids are left out. */
  request: RegExp;
  type: string;
}

/** Allows the values of a library's enums to be written as they are sent. */
const wire = [
  "type Wire<T> = T extends string ? `${T}` : T extends readonly (infer U)[] ? Wire<U>[] :",
  "T extends object ? { [K in keyof T]: Wire<T[K]> } : T;",
].join(" ");

/**
 * What is wrong with successful answers according to the types of a provider's own library: values of other types, missing properties, and
 * properties that the types don't have. An answer without a type is a fault too, and so is a type without an answer. `imports` is
 * TypeScript, which may declare types of its own.
 */
export function typeFaults(recorded: readonly Recorded[], given: { imports: string; types: readonly AnswerType[] }): string[] {
  const answers = distinct(recorded.filter(({ status }) => status < 300));
  const lines = ["export {};", ...given.imports.split("\n"), wire];
  const faults: string[] = [];
  const askedAt = new Map<number, string>();
  for (const { request, body } of answers) {
    const found = given.types.find((one) => one.request.test(request));
    if (found === undefined) faults.push(`${request}: no type is given for this answer`);
    else askedAt.set(lines.push(`void (${JSON.stringify(body)} satisfies ${found.type});`) - 1, request);
  }
  for (const { request } of given.types) {
    if (!answers.some((one) => request.test(one.request))) faults.push(`${request.source}: there is no such answer`);
  }
  for (const { line, message } of compile(lines.join("\n"))) faults.push(`${askedAt.get(line) ?? lines[line]}: ${message}`);
  return [...new Set(faults)];
}

/** One of those that only differ in their ids, amounts and times. */
function distinct(answers: readonly Recorded[]): Recorded[] {
  const kind = (_key: string, value: unknown) =>
    typeof value === "number" || (typeof value === "string" && /\d/.test(value)) ? typeof value : value;
  const nameless = answers.map((one) => ({ ...one, request: one.request.replaceAll(/\/(?!v\d\b)[^/]*[A-Z\d][^/]*/g, "/…") }));
  return [...new Map(nameless.map((one) => [`${one.request} ${JSON.stringify(one.body, kind)}`, one])).values()];
}

const file = fileURLToPath(new URL("recorded-answers.ts", import.meta.url));

function compile(text: string): { line: number; message: string }[] {
  const options: ts.CompilerOptions = {
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    types: ["node"],
  };
  const host = ts.createCompilerHost(options);
  const own = ts.createSourceFile(file, text, ts.ScriptTarget.ES2022, true);
  const { getSourceFile, fileExists, readFile } = host;
  host.getSourceFile = (name, ...rest) => (name === file ? own : getSourceFile.call(host, name, ...rest));
  host.fileExists = (name) => name === file || fileExists.call(host, name);
  host.readFile = (name) => (name === file ? text : readFile.call(host, name));
  const program = ts.createProgram([file], options, host);
  return [...program.getSyntacticDiagnostics(own), ...program.getSemanticDiagnostics(own)].map((fault) => ({
    line: own.getLineAndCharacterOfPosition(fault.start ?? 0).line,
    message: ts.flattenDiagnosticMessageText(fault.messageText, " "),
  }));
}
