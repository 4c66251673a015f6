import { firstLanguage } from "#platform/index.ts";

/** A name by language tag. A missing language falls back to the first. */
export type Names = Readonly<Record<typeof firstLanguage, string>> & Readonly<Record<string, string>>;

/** The app on the buyer's phone for paying with a method. */
export interface WalletApp {
  /** The page's name for the device when it is opened inside this app. */
  readonly id: string;
  readonly names: Names;
  /** Whether a User-Agent is this app's own browser, on a phone or on a desktop; null if it isn't. */
  browserOf(userAgent: string): "phone" | "desktop" | null;
  /** Inside the app: whether it scans a pressed code, and if that isn't certain, also a saved one. */
  readonly scans: "pressed" | "pressed_or_saved";
  /** Address that opens the app; null if it needs a code. */
  readonly address: string | null;
  /** Address that opens the app at a code, if the app has one. */
  addressOf?(payload: string): string;
}

interface Method {
  /** Its name in the API: lower-case letters, digits and `_`. */
  readonly name: string;
  /** The gateway that takes the payment. Every gateway has one method with its own name. */
  readonly gateway: string;
  /** Supported currencies, as ISO 4217 codes. */
  readonly currencies: readonly string[] | "any";
  /** The name for buyers and merchants. */
  readonly names: Names;
  /** Its icon on the payment page: SVG shapes on a colored tile of 24 × 24. */
  readonly tile: { readonly colour: string; readonly sign: string };
  readonly app: WalletApp | null;
}

/** Paid to a merchant's own receiving code, and confirmed by a person or a receipt. */
export interface PersonalMethod extends Method {
  readonly kind: "personal_qr";
  /** Channel of the collection profile that has the code. */
  readonly channel: string;
  /** Its name for buyers next to a gateway's method with the same name. */
  readonly codeNames: Names;
  readonly app: WalletApp;
}

/** Paid through a provider, with the merchant's own account there. */
export interface GatewayMethod extends Method {
  readonly kind: "gateway";
  /** Whether its codes can only be scanned with a camera: not from an image in the album, nor by pressing them. */
  readonly codesForCameraOnly?: boolean;
}

export type PaymentMethod = PersonalMethod | GatewayMethod;

/** The payment methods of this installation, in the order in which buyers see them. */
export interface PaymentMethods {
  readonly all: readonly PaymentMethod[];
  /** The payment method with a name; null if there is none. */
  find(name: string): PaymentMethod | null;
}

declare module "../platform/context.ts" {
  interface Ctx {
    /** The payment methods: one list for the API's values, the payment page, emails and the dashboard. */
    readonly methods: PaymentMethods;
  }
}

/** Creates the list. Throws for a duplicate or invalid name, and for a gateway without a method of its name. */
export function listMethods(all: readonly PaymentMethod[]): PaymentMethods {
  const byName = new Map(all.map((method) => [method.name, method]));
  if (byName.size !== all.length) throw new Error("two payment methods have one name");
  for (const { name, gateway } of all) {
    if (!/^[a-z][a-z0-9_]{1,39}$/.test(name)) throw new Error(`${JSON.stringify(name)} cannot be the name of a payment method`);
    if (!byName.has(gateway)) throw new Error(`the gateway ${gateway} has no payment method of its name`);
  }
  return { all, find: (name) => byName.get(name) ?? null };
}

/** Whether a method supports a currency. */
export function takesCurrency({ currencies }: PaymentMethod, currency: string): boolean {
  return currencies === "any" || currencies.includes(currency);
}

/** A name in the reader's language. */
export function nameIn(names: Names, language: string): string {
  return names[language] ?? names[firstLanguage];
}
