import type { MoneyText } from "#checkout/index.ts";
import type { Language } from "#platform/index.ts";

/** An email's content before it is rendered as HTML and as plain text. All of it is plain text. */
export interface EmailContent {
  subject: string;
  /** What an inbox shows after the subject. */
  preheader: string;
  /** A word and a shape above the title, if the email is about a status. */
  status?: { tone: "paid" | "waiting" | "failed"; word: string };
  title: string;
  /** The most prominent part of the email. */
  figure?: MoneyText;
  lead: string[];
  facts?: [label: string, value: string][];
  /** Shown below the facts: how many were left out. */
  more?: string;
  button: { label: string; url: string };
  /** Introduces the button's full address, for emails that are useless without it. */
  addressToo?: string;
  after: string[];
  /** The sender, if a merchant writes to a buyer. */
  speaker?: string;
  /** Why this reader got it. */
  reason: string;
}

/** An email in one language, with the words that are in every email. */
export interface CompleteEmail extends EmailContent {
  lang: Language;
  /** Says that no real money or message is involved; null in LIVE. */
  test: string | null;
}
