import { expect, test } from "vitest";
import { sayFault } from "./faults.ts";

test.each([
  ["to[0] must be an e-mail address.", "to[0]", "Write a whole e-mail address, such as ada@example.com.", "请填写完整的邮箱地址，例如 ada@example.com。"],
  ["name must not be empty.", "name", "This is needed.", "请填写此项。"],
  ["subject is required.", "subject", "This is needed.", "请填写此项。"],
  ["settings.color must match the pattern.", "settings.color", "This must match the pattern.", "此项填写有误，请检查后重试。"],
  ["name must have at most 1 characters.", "name", "At most 1 character.", "最多 1 个字符。"],
  ["There is an account with this address.", "email", "There is an account with this address.", "此邮箱已有账号。"],
])("%s", (message, param, en, zh) => {
  expect([sayFault(message, { language: "en", param }), sayFault(message, { language: "zh", param })]).toEqual([en, zh]);
});

test("a sentence that nobody translated is told by its code", () => {
  expect(sayFault("attachments[0].content is not base64.", { language: "zh", param: "attachments[0].content", code: "attachment_invalid" })).toBe("附件无效。");
});
