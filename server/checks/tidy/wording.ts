import ts from "typescript";
import { type Fault, isProduct, isTypeScript, lineAt, type Rule, type SourceFile } from "../read/sources.ts";

/** What people read: words of screens, pages and emails, what errors and their remedies say, settings and commands. */
const spoken = [
  /^server\/src\/checkout\/page\/words\//,
  /^server\/src\/notices\/words\//,
  /^server\/src\/gateways\/simulator\/words\.ts$/,
  /^server\/src\/http\//,
  /^server\/src\/schemas\//,
  /^server\/src\/(?:calls|email|guards|messaging|numbers|sms|verifications)\/(?!.*\.sql\.ts$)/,
  /^server\/src\/providers\/(?:sms|telephony|voice)\//,
  /^server\/src\/app\/settings\//,
  /^web\/dashboard\/src\/.*\.words\.ts$/,
  /^web\/dashboard\/src\/words\//,
  /^web\/dashboard\/src\/(?:app|parts)\/.*\.tsx$/,
  /^server\/src\/[a-z]+\/errors\.ts$/,
  /^server\/src\/app\/(?:settings-(?:limits|table)|commands\/index)\.ts$/,
];

/** Where texts and values of the API are side by side: a word alone is a value, such as `nobody` among the reasons of refused callbacks. */
const ofTheApi = /^server\/src\/(?:http|schemas)\//;
const isValue = /^ ?[a-z_]+$/;

/** Old names of things and phrases of other languages, and what to write instead: docs/glossary.md. */
const refused: readonly [pattern: RegExp, better: string][] = [
  [/\bways? to pay\b/gi, "payment method"],
  [/\be-mail(?:s|ed)?\b/gi, "email"],
  [/\bown mails?\b/gi, "system email"],
  [/\b(?:some|no|every|any)body\b|\bwhoever\b/gi, "someone, no one, everyone, anyone who"],
  [/\b(?:by|of) (?:itself|themselves)\b/gi, "automatically"],
  [/\bof (?:yours|theirs)\b/gi, "your, their"],
  [/\banew\b/gi, "again"],
  [/\bfor ever\b/gi, "forever, indefinitely"],
  [/\bmend(?:s|ed|ing)?\b/gi, "fix"],
  [/\b(?:be|is|are|was|were|being) told\b(?! apart)/gi, "receives, is notified of, sees"],
  [/\bgo(?:es)? on\b/gi, "continue"],
  [/\bjust now\b/gi, "right now"],
  [/\bmeanwhile\b/gi, "in the meantime, until then"],
  [/\balone\b/gi, "only"],
  [/\bno (?:real )?money moves\b/gi, "no real money"],
  [/\bcall(?:s|ed)? for\b/gi, "needs"],
  [/\bmessages? that (?:comes?|came) in\b/gi, "inbound message"],
  [/\bunder way\b/gi, "in progress"],
  [/\b(?:is|was|are) given up\b/gi, "expires, is no longer tried"],
  [/\b(?:dialled|signalling)\b/gi, "dialed, signaling"],
  [/告知付款/g, "提交付款"],
  [/挂账/g, "列入异常"],
  [/中继线路/g, "SIP 中继"],
  [/操作有点快/g, "操作过于频繁"],
  [/\bin suspense\b/gi, "in Exceptions"],
  [/\b(?:this|it) is no (?=[a-z])/gi, "isn't a"],
  [/\bgives? up at\b/gi, "expires"],
  [/运营方的认证/g, "运营方的审核"],
  [/我们这边/g, "系统"],
  [/服务器管理员/g, "平台运营方"],
];

/** Old phrases that comments must not have either: CONTRIBUTING.md, "Comments". */
const refusedInComments: readonly [pattern: RegExp, better: string][] = [
  [/\b(?:some|no|every|any)body\b|\bwhom?ever\b/gi, "someone, no one, everyone, anyone who"],
  [/\banew\b/gi, "again"],
  [/\bfor ever\b/gi, "forever, indefinitely"],
  [/\bmend(?:s|ed|ing)?\b/gi, "fix"],
  [/\bmeanwhile\b/gi, "in the meantime, until then"],
  [/\bunder way\b/gi, "in progress"],
  [/\blet be\b/gi, "leave, ignore"],
  [/\b(?:comes?|came) to nothing\b/gi, "fails"],
];
const comment = /^\s*(?:\/\/|\/?\*).*|(?<=[\s;,{}()]) ?\/\/ [^"'`]*$/gm;

/** Comments are plain sentences with the field's terms. */
export const commentsAreOurs: Rule = (files) =>
  files
    .filter(({ path }) => /\.(?:tsx?|mjs)$/.test(path))
    .flatMap(({ path, text }) =>
      [...text.matchAll(comment)].flatMap(({ 0: line, index }) =>
        faultsIn(path, { text: line.replace(/`[^`]*`/g, ""), line: lineAt(text, index) }, refusedInComments),
      ),
    );

/** A text, with the line on which it begins. */
interface Text {
  text: string;
  line: number;
}

/** People read one name for one thing, in the language as it is spoken. */
export const wordsAreOurs: Rule = (files) => files.flatMap((file) => textsOf(file).flatMap((text) => faultsIn(file.path, text)));

function faultsIn(path: string, { text, line: first }: Text, phrases = refused): Fault[] {
  return phrases.flatMap(([pattern, better]) =>
    [...text.matchAll(pattern)].map((match) => ({
      path,
      line: first + lineAt(text, match.index) - 1,
      message: `${JSON.stringify(match[0])} is not how we write: ${better}`,
    })),
  );
}

/** What a file shows to people. */
function textsOf(file: SourceFile): Text[] {
  if (file.path.endsWith(".md")) return [{ text: withoutCode(file.text), line: 1 }];
  if (!isTypeScript(file.path) || !isProduct(file.path) || !spoken.some((pattern) => pattern.test(file.path))) return [];
  const source = ts.createSourceFile(file.path, file.text, ts.ScriptTarget.Latest, true);
  const texts: Text[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node)) return;
    const isText = ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node);
    if (isText && !(ofTheApi.test(file.path) && isValue.test(node.text)))
      texts.push({ text: withoutCode(node.text), line: source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1 });
    node.forEachChild(visit);
  };
  visit(source);
  return texts;
}

/** A document's prose: its code, and where links lead, are blanked, so that lines keep their numbers. */
function withoutCode(text: string): string {
  const blank = (part: string) => part.replace(/[^\n]/g, " ");
  return text
    .replace(/^```[^\n]*\n[\s\S]*?^```/gm, blank)
    .replace(/`[^`\n]*`/g, blank)
    .replace(/\]\([^)\n]*\)/g, blank);
}
