import { describe, expect, test } from "vitest";
import { readDomainName, readMailbox } from "./read-mailbox.ts";

describe("readMailbox", () => {
  test.each([
    ["a@b.example", null, "a@b.example"],
    ["  Acme <Shop@B.Example> ", "Acme", "Shop@b.example"],
    ['"Acme, \\"Ltd\\"." <a@b.example>', 'Acme, "Ltd".', "a@b.example"],
    ["书店 <书@例子.测试>", "书店", "书@xn--fsqu00a.xn--0zwm56d"],
    ["a@bücher.example", null, "a@xn--bcher-kva.example"],
    ["<a@b.example>", null, "a@b.example"],
    ['"odd but allowed"@b.example', null, '"odd but allowed"@b.example'],
    ["o'neil+tag@b.example", null, "o'neil+tag@b.example"],
    ["no-reply@localhost", null, "no-reply@localhost"],
    ["José Pérez (sales) <a@b.example>", "José Pérez (sales)", "a@b.example"],
  ])("reads %s", (text, name, address) => {
    expect(readMailbox(text)).toMatchObject({ name, address });
  });

  test.each([
    "",
    "a",
    "@b.example",
    "a@",
    "a@b",
    "a@b..example",
    "a@-b.example",
    "a@127.0.0.1",
    "a@[127.0.0.1]",
    ".a@b.example",
    "a.@b.example",
    "a..b@b.example",
    "a b@b.example",
    "a@b.example, c@d.example",
    "a@b.example; c@d.example",
    "Acme, Ltd <a@b.example>",
    "x@y.example <a@b.example>",
    "Acme <a@b.example> <c@d.example>",
    "Acme <a@b.example",
    "Acme\r\nBcc: c@d.example <a@b.example>",
    "a@b.example\nBcc: c@d.example",
    "a@b.exa\u0000mple",
    `${"a".repeat(65)}@b.example`,
    `a@${"b.".repeat(130)}example`,
    `${"n".repeat(400)} <a@b.example>`,
  ])("refuses %j", (text) => {
    expect(readMailbox(text)).toBeNull();
  });
});

test.each([
  ["Example.COM", "example.com"],
  ["bücher.example", "xn--bcher-kva.example"],
  ["mail.shop.example", "mail.shop.example"],
  ["example.com.", null],
  ["example", null],
  ["192.0.2.1", null],
  ["*.example.com", null],
  ["_dmarc.example.com", null],
  ["https://example.com", null],
  ["a@example.com", null],
])("readDomainName takes %s for %s", (text, name) => {
  expect(readDomainName(text)).toBe(name);
});
