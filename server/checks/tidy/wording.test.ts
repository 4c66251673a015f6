import { expect, test } from "vitest";
import { commentsAreOurs, wordsAreOurs } from "./wording.ts";

const words = "server/src/checkout/page/words/english.ts";
const faults = (path: string, text: string) => wordsAreOurs([{ path, text }]).map(({ line }) => line);

test.each([
  "Choose a way to pay.",
  "Ways to pay",
  "Your E-mail address",
  "Own mails",
  "Somebody asked",
  "Nobody is suppressed",
  "Ask whoever runs it",
  "It ends by itself",
  "Addresses of yours",
  "Signed anew",
  "Not for ever",
  "Mend it first",
  "The owners are told by mail",
  "Go on",
  "Not just now",
  "Someone changed this meanwhile",
  "In TEST alone",
  "No real money moves",
  "A message that came in",
  "Calls under way",
  "It is given up",
  "Numbers are dialled",
  "您已告知付款",
  "款项继续挂账",
  "接入中继线路",
  "操作有点快",
  "An entry in suspense",
  "This is no certificate",
  "Gives up at",
  "尚未通过运营方的认证",
  "我们这边出了问题",
  "请联系服务器管理员",
])("%j is refused on screens, in templates and in guides", (sentence) => {
  expect(faults(words, `import { a } from "./anew.ts";\n// ${sentence}\nexport const a = { b: ${JSON.stringify(sentence)} };`)).toEqual([
    3,
  ]);
  expect(faults(words, `const a = (b: string) =>\n  \`\${b} ${sentence}\n\`;`)).toEqual([2]);
  expect(faults("docs/webhooks.md", `# Webhooks\n\n${sentence}\n`)).toEqual([3]);
});

test.each([
  ["the words of the glossary", words, 'const a = "Choose a payment method. Someone emailed you.";'],
  ["a comment", words, "/** Somebody asked anew. */\nexport const a = 1;"],
  ["a value of the API", "server/src/schemas/gateways/refused-callback.ts", 'const reasons = ["nobody"];'],
  ["code that people don't read", "server/src/orders/order/create-order.ts", 'const a = "nobody";'],
  ["code in a guide, and where its links lead", "docs/webhooks.md", "Call `anew`, see [this](e-mail.md).\n\n```\nnobody\n```\n"],
])("%s is allowed", (_what, path, text) => {
  expect(faults(path, text)).toEqual([]);
});

test.each([
  "Nobody waits",
  "Ask whoever holds it",
  "Made anew",
  "Kept for ever",
  "It was mended",
  "Changed meanwhile",
  "Work under way",
  "It came to nothing",
])("%j is refused in comments", (sentence) => {
  const lines = (text: string) => commentsAreOurs([{ path: "server/test/a.ts", text }]).map(({ line }) => line);
  expect(lines(`/** ${sentence}. */\nconst a = 1; // ${sentence}\n/**\n * Plain.\n * ${sentence}.\n */`)).toEqual([1, 2, 5]);
  expect(
    lines(`const a = "${sentence}";\n// The user \`nobody\`, and https://nobody.example\n`.replace("https://nobody", "https://a")),
  ).toEqual([]);
});
