import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { reportWords, sayError } from "./say-error.ts";

const server = new URL("../../../../../server/src/", import.meta.url);
const sources = [
  ...["providers/sms/smpp/wire/answers.ts", "providers/telephony/twilio/sms/classify-submission.ts"],
  ...["app/sms/watch-binds.ts", "app/voice/watch-accounts.ts", "app/mail/watch-mail.ts"],
].map((path) => readFileSync(new URL(path, server), "utf8"));

test("every sentence that has a translation is one that the server writes", () => {
  const unknown = Object.values(reportWords.en).filter((text) => !sources.some((source) => source.includes(text.slice(0, -1))));
  expect(unknown).toEqual([]);
});

test.each([
  ["The carrier accepts no more messages right now. (0x00000058)", "运营商暂时不再接收消息。", "0x00000058"],
  ["The carrier's response was lost.", "没有收到运营商的响应。", null],
  ["ENOTFOUND: getaddrinfo ENOTFOUND smpp.example", "无法解析主机名。请检查拼写和 DNS。", "ENOTFOUND: getaddrinfo ENOTFOUND smpp.example"],
  ["451 4.7.1 Try again later", null, "451 4.7.1 Try again later"],
])("%s is in the reader's words if we know it, with what was reported", (message, text, detail) => {
  expect(sayError(message, "zh")).toEqual({ text, detail });
});

test("English readers get the server's own sentence, with the carrier's code next to it", () => {
  const message = "The carrier accepts no more messages right now. (0x00000058)";
  expect(sayError(message, "en")).toEqual({ text: "The carrier accepts no more messages right now.", detail: "0x00000058" });
});
