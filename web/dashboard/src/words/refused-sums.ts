import { defineWords, type Language, localeIn } from "./language.tsx";
import { moneyText } from "./money-text.ts";

const words = defineWords({
  en: {
    short: (arrived: string, expected: string) =>
      `You received ${arrived}, but expected ${expected}. Enter the amount you received and confirm the shortfall.`,
    over: (arrived: string, expected: string) =>
      `You received ${arrived}, more than the ${expected} expected. Enter the amount you received and confirm the excess.`,
    reported: (reported: string, expected: string) =>
      `The buyer reported ${reported}, but ${expected} was expected. Enter the amount you received.`,
  },
  zh: {
    short: (arrived: string, expected: string) => `到账 ${arrived}，应收 ${expected}。请填写实际到账金额，并确认少收的部分。`,
    over: (arrived: string, expected: string) => `到账 ${arrived}，多于应收的 ${expected}。请填写实际到账金额，并确认多收的部分。`,
    reported: (reported: string, expected: string) => `买家称付了 ${reported}，应收 ${expected}。请填写实际到账金额。`,
  },
});

/** A refusal about an amount, with both amounts; null for any other refusal. */
export function sayRefusedSums(fields: Readonly<Record<string, unknown>>, language: Language): string | null {
  const { expected_minor: expected, received_minor: received, reported_minor: reported, currency } = fields;
  if (typeof expected !== "number" || typeof currency !== "string") return null;
  const money = (minor: number) => moneyText(localeIn(language), minor, currency);
  const say = words[language];
  if (typeof reported === "number") return say.reported(money(reported), money(expected));
  if (typeof received !== "number") return null;
  if (isOver(fields["shortfall_minor"])) return say.short(money(received), money(expected));
  return isOver(fields["excess_minor"]) ? say.over(money(received), money(expected)) : null;
}

function isOver(minor: unknown): boolean {
  return typeof minor === "number" && minor > 0;
}
