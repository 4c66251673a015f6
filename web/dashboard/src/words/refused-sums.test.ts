import { expect, test } from "vitest";
import { ApiError } from "../data/client.ts";
import { errorText } from "../data/errors.tsx";

const refused = (code: string, fields: Record<string, unknown>) =>
  new ApiError({ status: 409, code, message: "said by the server", param: undefined, details: [], fields } as never);

test.each([
  [
    { received_minor: 5000, expected_minor: 8600, shortfall_minor: 3600 },
    "You received ¥50.00, but expected ¥86.00.",
    "到账 ¥50.00，应收 ¥86.00。",
  ],
  [
    { received_minor: 9900, expected_minor: 8600, excess_minor: 1300 },
    "You received ¥99.00, more than the ¥86.00 expected.",
    "到账 ¥99.00，多于应收的 ¥86.00。",
  ],
  [
    { reported_minor: 9900, expected_minor: 8600 },
    "The buyer reported ¥99.00, but ¥86.00 was expected.",
    "买家称付了 ¥99.00，应收 ¥86.00。",
  ],
])("an approval that needs confirmation states both sums: %j", (fields, en, zh) => {
  const error = refused("shortfall_unconfirmed", { ...fields, currency: "CNY" });
  expect(errorText(error, "en").replace("CN", "")).toContain(en);
  expect(errorText(error, "zh")).toContain(zh);
});

test("a refusal without sums is explained by its code", () => {
  expect(errorText(refused("shortfall_unconfirmed", {}), "en")).toContain("You received less than expected.");
});
