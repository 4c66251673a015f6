import { parameterFaults, type Reach, readReach, sameNameFaults, splitUrls } from "#messaging/index.ts";
import { isLoopbackUrl } from "#platform/index.ts";

/** An account with a carrier that supports Twilio's HTTP API, as the operator configured it. */
export interface CarrierAccount {
  name: string;
  /** Base address of its API: everything before `/Accounts`. */
  base: string;
  /** The id of the account in the API's addresses. */
  accountSid: string;
  /** The credentials of Basic authentication. */
  user: string;
  password: string;
  /** The key that the carrier signs its callbacks with. */
  signingKey: string;
  reach: Reach;
  weight: number;
}

/** Parameters of a setting in addition to the common ones. */
export interface Extras<N extends string, T extends string> {
  numbers: Readonly<Record<N, { least: number; most: number; usual: number }>>;
  /** The pattern that each value must match. */
  texts: Readonly<Record<T, { pattern: RegExp; example: string }>>;
}

/** All faults of a setting. No fault repeats a value, because an unencoded password may be anywhere in it. */
export class AccountFaults extends Error {
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    super(faults.join("; "));
    this.faults = faults;
  }
}

type Faults = (fault: string) => void;
type Read<N extends string, T extends string> = CarrierAccount & { numbers: Record<N, number>; texts: Record<T, string | null> };

const usualPath = "/2010-04-01";
const common = ["name", "countries", "weight", "account", "signing_key"];

/** Parses comma-separated accounts, or throws all their faults at once. */
export function readAccounts<N extends string, T extends string>(text: string, extras: Extras<N, T>): Read<N, T>[] {
  const faults: string[] = [];
  const accounts = splitUrls(text, "http").map((one, index) =>
    readAccount(one, extras, (fault) => faults.push(`account ${index + 1} ${fault}`)),
  );
  if (accounts.length === 0) faults.push("it names no account");
  const names = accounts.map((account) => account?.name);
  faults.push(...sameNameFaults("account", names));
  if (faults.length > 0) throw new AccountFaults(faults);
  return accounts.filter((account) => account !== null);
}

function readAccount<N extends string, T extends string>(text: string, extras: Extras<N, T>, fault: Faults): Read<N, T> | null {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol) || !/^(\[[\da-f:.]+\]|[\w.-]+)$/i.test(url.hostname)) {
    fault("can't be read: it must be https://AccountSid:AuthToken@host?name=…, with #, /, ?, @, % and spaces of the token percent-encoded");
    return null;
  }
  if (url.protocol === "http:" && !isLoopbackUrl(url.href)) fault("must be https: http only works for this machine");
  const names = [...common, ...Object.keys(extras.numbers), ...Object.keys(extras.texts)];
  for (const one of parameterFaults(url, { names, mayHavePath: true })) fault(one);
  const whole = (name: string, bounds: { least: number; most: number; usual: number }) =>
    wholeOf(url.searchParams.get(name), { name, ...bounds, fault });
  return {
    name: readName(url.searchParams.get("name") ?? url.hostname, fault),
    base: `${url.origin}${url.pathname === "/" ? usualPath : url.pathname.replace(/(?<!\/)\/+$/, "")}`,
    ...readCredentials(url, fault),
    reach: readCountries(url.searchParams.get("countries"), fault),
    weight: whole("weight", { least: 1, most: 1_000, usual: 1 }),
    numbers: mapped(extras.numbers, whole),
    texts: mapped(extras.texts, (name, wanted) => textOf(url.searchParams.get(name), { name, ...wanted, fault })),
  };
}

function mapped<Name extends string, From, To>(
  given: Readonly<Record<Name, From>>,
  make: (name: Name, from: From) => To,
): Record<Name, To> {
  return Object.fromEntries(Object.entries(given).map(([name, from]) => [name, make(name as Name, from as From)])) as Record<Name, To>;
}

/** The name is part of the addresses that the carrier calls back. */
function readName(name: string, fault: Faults): string {
  if (!/^[\w.-]{1,40}$/.test(name) || /^\.+$/.test(name)) fault("needs a name of up to 40 letters, digits, dots, hyphens and underscores");
  return name;
}

function readCredentials(url: URL, fault: Faults): Pick<CarrierAccount, "user" | "password" | "accountSid" | "signingKey"> {
  const user = secretOf(decoded(url.username, fault), { what: "an AccountSid", fault });
  const password = secretOf(decoded(url.password, fault), { what: "an AuthToken", fault });
  const accountSid = url.searchParams.get("account") ?? user;
  if (!/^[\w-]{0,64}$/.test(accountSid)) fault("needs an AccountSid of up to 64 letters, digits, hyphens and underscores");
  const signingKey = url.searchParams.get("signing_key");
  return {
    user,
    password,
    accountSid,
    signingKey: signingKey === null ? password : secretOf(signingKey, { what: "a signing_key", fault }),
  };
}

function decoded(text: string, fault: Faults): string {
  try {
    return decodeURIComponent(text);
  } catch {
    fault("has an AccountSid or AuthToken that isn't percent-encoded");
    return "-";
  }
}

function secretOf(text: string, { what, fault }: { what: string; fault: Faults }): string {
  if (!/^[\x21-\x7e]{1,256}$/.test(text)) fault(`needs ${what} of up to 256 ASCII characters`);
  return text;
}

function wholeOf(text: string | null, given: { name: string; least: number; most: number; usual: number; fault: Faults }): number {
  if (text === null) return given.usual;
  const value = /^\d{1,6}$/.test(text) ? Number(text) : -1;
  if (value < given.least || value > given.most) given.fault(`needs a ${given.name} from ${given.least} to ${given.most}`);
  return value;
}

function textOf(text: string | null, given: { name: string; pattern: RegExp; example: string; fault: Faults }): string | null {
  if (text !== null && !given.pattern.test(text)) given.fault(`needs a ${given.name} such as ${given.example}`);
  return text;
}

function readCountries(text: string | null, fault: Faults): Reach {
  const reach = text === null ? [] : readReach(text);
  if (reach === null) fault("needs countries such as 86,1 or CN,US");
  return reach ?? [];
}
