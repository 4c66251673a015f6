import type { MoneyText } from "#checkout/index.ts";
import type { Language } from "#platform/index.ts";

/** A mail's content, before it is set as HTML and as plain text. All of it is plain text. */
export interface Letter {
  subject: string;
  /** What an inbox shows behind the subject. */
  preheader: string;
  /** A word and a shape above the title, where the mail is about a state. */
  status?: { tone: "paid" | "waiting" | "failed"; word: string };
  title: string;
  /** The largest thing in the mail. */
  figure?: MoneyText;
  lead: string[];
  facts?: [label: string, value: string][];
  /** What stands under the facts: how many were left out. */
  more?: string;
  button: { label: string; url: string };
  /** Introduces the button's address in full, for mails that are of no use without it. */
  addressToo?: string;
  after: string[];
  /** Who is speaking, when it is a merchant to a buyer. */
  speaker?: string;
  /** Why this reader got it. */
  reason: string;
}

/** A letter in one language, with the words that belong to every mail. */
export interface SetLetter extends Letter {
  lang: Language;
  /** Says that no real money or message is meant; null in LIVE. */
  test: string | null;
}
