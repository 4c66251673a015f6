import { expect, test } from "vitest";
import { refusals } from "./refusals.ts";

test("an order that can't be canceled while its provider has the payment open isn't to be canceled, but tried again later", () => {
  expect([refusals.en.session_active, refusals.zh.session_active]).toEqual([
    expect.stringMatching(/provider.*Try again/),
    expect.stringMatching(/支付机构.*再试/),
  ]);
});

test("a refusal that advises to reject a payment calls it as the button does", () => {
  expect([refusals.en.transfer_returned, refusals.zh.transfer_returned]).toEqual([
    expect.stringContaining("reject"),
    expect.stringContaining("驳回"),
  ]);
});
