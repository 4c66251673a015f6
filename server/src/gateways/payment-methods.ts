import { firstLanguage } from "#platform/index.ts";

/** A name by language tag. A language that is missing is shown that of the first. */
export type Names = Readonly<Record<typeof firstLanguage, string>> & Readonly<Record<string, string>>;

/** The app on the buyer's phone that a method is paid with. */
export interface WalletApp {
  /** What the page calls the device when it is read inside this app. */
  readonly id: string;
  readonly names: Names;
  /** Whether a User-Agent is this app's own browser, on a phone or on a desktop; null if it is not. */
  browserOf(userAgent: string): "phone" | "desktop" | null;
  /** Inside the app: whether it scans a code that is pressed, and where that is not certain, also one that was saved. */
  readonly scans: "pressed" | "pressed_or_saved";
  /** Address that opens the app; null if it needs a code. */
  readonly address: string | null;
  /** Address that opens the app at a code, where the app has one. */
  addressOf?(payload: string): string;
}

interface Method {
  /** As the API spells it: lower-case letters, digits and `_`. */
  readonly name: string;
  /** The gateway that takes the payment. Every gateway has one method of its own name. */
  readonly gateway: string;
  /** Currencies that it takes, as ISO 4217 codes. */
  readonly currencies: readonly string[] | "any";
  /** What buyers and merchants know it by. */
  readonly names: Names;
  /** Its sign on the payment page: SVG shapes on a coloured tile of 24 × 24. */
  readonly tile: { readonly colour: string; readonly sign: string };
  readonly app: WalletApp | null;
}

/** Paid to a merchant's own receiving code, and confirmed by a person or a receipt. */
export interface PersonalMethod extends Method {
  readonly kind: "personal_qr";
  /** Channel of the collection profile that holds the code. */
  readonly channel: string;
  readonly app: WalletApp;
}

/** Paid through a provider, with an account of the merchant's there. */
export interface GatewayMethod extends Method {
  readonly kind: "gateway";
  /** Whether its codes are taken from a camera alone: not from a picture in the album, nor when they are pressed. */
  readonly codesForCameraOnly?: boolean;
}

export type PaymentMethod = PersonalMethod | GatewayMethod;

/** The payment methods of this installation, in the order in which buyers see them. */
export interface PaymentMethods {
  readonly all: readonly PaymentMethod[];
  /** The method of a name; null if there is none. */
  find(name: string): PaymentMethod | null;
}

declare module "../platform/context.ts" {
  interface Ctx {
    /** The ways to pay: one list for the API's values, the payment page, mails and the dashboard. */
    readonly methods: PaymentMethods;
  }
}

/** Makes the list. Throws on a name that stands twice or cannot be spelt in the API, and on a gateway without a method of its name. */
export function listMethods(all: readonly PaymentMethod[]): PaymentMethods {
  const byName = new Map(all.map((method) => [method.name, method]));
  if (byName.size !== all.length) throw new Error("two payment methods have one name");
  for (const { name, gateway } of all) {
    if (!/^[a-z][a-z0-9_]{1,39}$/.test(name)) throw new Error(`${JSON.stringify(name)} cannot be the name of a payment method`);
    if (!byName.has(gateway)) throw new Error(`the gateway ${gateway} has no payment method of its name`);
  }
  return { all, find: (name) => byName.get(name) ?? null };
}

/** Whether a method takes payments in a currency. */
export function takesCurrency({ currencies }: PaymentMethod, currency: string): boolean {
  return currencies === "any" || currencies.includes(currency);
}

/** A name in the reader's language. */
export function nameIn(names: Names, language: string): string {
  return names[language] ?? names[firstLanguage];
}
