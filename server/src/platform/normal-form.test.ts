import fc from "fast-check";
import { expect, test } from "vitest";
import { normalForm } from "./normal-form.ts";

const forms = ["NFC", "NFKC"] as const;

test("a text is as the engine normalizes it, with up to thirty marks on a letter", () => {
  const sign = fc.constantFrom(..."ae가각ᄀ\u1161カｶ１ﬁ\u212b\ud83d\ude00", "\u0301", "\u0316", "\u0344", "\u3099", "\uff9e", "\uff9f");
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: "binary", maxLength: 200 }), fc.string({ unit: sign, maxLength: 30 })), (text) => {
      for (const form of forms) expect(normalForm(text, form)).toBe(text.normalize(form));
    }),
  );
});

test.each(forms)("the marks of a letter that has a hundred thousand of them aren't all sorted: %s", (form) => {
  const pairs = 50_000;
  const read = normalForm(`e${"\u0301\u0316".repeat(pairs)}１`, form);
  // The first is part of the letter now, and the others of the first thirty are sorted.
  expect(read.startsWith(`\u00e9${"\u0316".repeat(15)}${"\u0301".repeat(14)}\u0301\u0316`)).toBe(true);
  expect(read.endsWith(form === "NFC" ? "\u0301\u0316１" : "\u0301\u03161")).toBe(true);
  expect(read).toHaveLength(pairs * 2 + 1);
});

test("half-width signs that become marks count as marks", () => {
  const text = `か${"\u0301\uff9e".repeat(1_000)}`;
  expect(normalForm(text, "NFKC").endsWith("\u0301\u3099")).toBe(true);
  expect(text.normalize("NFKC").endsWith("\u0301\u3099")).toBe(false);
});
