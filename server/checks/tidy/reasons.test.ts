import { expect, test } from "vitest";
import { faultsHaveReasons, sentencesAreNotParsed } from "./reasons.ts";

const room = (text: string) => faultsHaveReasons([{ path: "server/src/projects/change-project.ts", text }]).length;
const page = (text: string) => sentencesAreNotParsed([{ path: "web/dashboard/src/data/errors.tsx", text }]).length;

test("a refusal of a value needs a reason", () => {
  expect(room('throw platformErrors.parameter_invalid({ param: "slug", message: "Taken." });')).toBe(1);
  expect(room('throw platformErrors.parameter_missing({ param: "slug" });')).toBe(1);
  expect(room('throw platformErrors.parameter_invalid({ param: "slug", reason: "slug_taken", message: "Taken." });')).toBe(0);
  expect(room("throw platformErrors.parameter_invalid({ param, message, details });")).toBe(0);
  expect(room('throw platformErrors.parameter_invalid({ param: "slug", ...fault });')).toBe(0);
  expect(room('throw platformErrors.resource_missing({ param: "id" });')).toBe(0);
});

test.each([
  "if (/is required/.test(error.message)) say();",
  "const found = sentence.exec(message);",
  'if (fault.message.startsWith("This is")) say();',
  'const [first] = message.split(" ");',
])("no page parses a sentence by a pattern: %s", (text) => {
  expect(page(text)).toBe(1);
});

test.each(["show(error.message);", 'if (error.code.startsWith("parameter_")) say();', "const subject = /a/.test(message.subject);"])(
  "%s is allowed",
  (text) => {
    expect(page(text)).toBe(0);
  },
);
