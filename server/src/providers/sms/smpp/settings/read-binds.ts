import { parameterFaults, type Reach, readReach, sameNameFaults, splitUrls } from "#messaging/index.ts";
import type { Numbering } from "../wire/addresses.ts";
import { type DefaultAlphabet, defaultAlphabets } from "../wire/alphabets.ts";

/** One connection to a carrier, as the operator configured it. */
export interface SmppBind {
  name: string;
  host: string;
  port: number;
  tls: boolean;
  systemId: string;
  password: string;
  systemType: string;
  /** The most submits that may wait for a response at once. */
  window: number;
  /** Messages a second; each part counts as one. */
  tps: number;
  countries: Reach;
  weight: number;
  shortCodes: Numbering;
  alphabet: DefaultAlphabet;
  /** How far the clock of the carrier's receipts is ahead of UTC. */
  zoneMinutes: number;
}

export class BindFaults extends Error {
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    super(faults.join("; "));
    this.faults = faults;
  }
}

type Faults = (fault: string) => void;

/** Parses `SMPP_BINDS`, or throws all its faults at once. No fault repeats a value, because an unencoded password may be anywhere in it. */
export function readBinds(text: string): SmppBind[] {
  const faults: string[] = [];
  const binds = splitUrls(text, "smpp").map((one, index) => readBind(one, (fault) => faults.push(`bind ${index + 1} ${fault}`)));
  const names = binds.map((bind) => bind?.name);
  faults.push(...sameNameFaults("bind", names));
  if (faults.length > 0) throw new BindFaults(faults);
  return binds.filter((bind) => bind !== null);
}

function readBind(text: string, fault: Faults): SmppBind | null {
  const url = URL.parse(text);
  if (url === null || !/^smpps?:$/.test(url.protocol) || url.hostname === "") {
    fault(
      "can't be read: it must be smpp://system_id:password@host:2775?name=…, with #, /, ?, @, % and spaces of the password percent-encoded",
    );
    return null;
  }
  const tls = url.protocol === "smpps:";
  const host = url.hostname.replace(/^\[|\]$/g, "");
  for (const one of parameterFaults(url, { names: parameters })) fault(one);
  const whole = (name: string, [least, most, usual]: readonly [number, number, number]) =>
    wholeOf(url, { name, least, most, usual, fault });
  return {
    name: readName(url.searchParams.get("name") ?? host, fault),
    host,
    port: url.port === "" ? (tls ? 3550 : 2775) : Number(url.port),
    tls,
    ...readCredentials(url, fault),
    systemType: asciiOf(url.searchParams.get("system_type") ?? "", { what: "system_type", most: 12, fault }),
    window: whole("window", [1, 1_000, 10]),
    tps: whole("tps", [1, 10_000, 10]),
    countries: readCountries(url.searchParams.get("countries"), fault),
    weight: whole("weight", [1, 1_000, 1]),
    shortCodes: { ton: whole("short_code_ton", [0, 6, 3]), npi: whole("short_code_npi", [0, 18, 0]) },
    alphabet: readAlphabet(url.searchParams.get("alphabet"), fault),
    zoneMinutes: readZone(url.searchParams.get("receipt_zone"), fault),
  };
}

const parameters = [
  "name",
  "system_type",
  "window",
  "tps",
  "countries",
  "weight",
  "short_code_ton",
  "short_code_npi",
  "alphabet",
  "receipt_zone",
];

function readName(name: string, fault: Faults): string {
  if (!/^[\w.:-]{1,40}$/.test(name)) fault("needs a name of up to 40 letters, digits, dots, colons, hyphens and underscores");
  return name;
}

function readCredentials(url: URL, fault: Faults): { systemId: string; password: string } {
  const decoded = (text: string): string => {
    try {
      return decodeURIComponent(text);
    } catch {
      fault("has a system_id or password that isn't percent-encoded");
      return "";
    }
  };
  const systemId = decoded(url.username);
  if (url.username === "") fault("names no system_id");
  return {
    systemId: asciiOf(systemId, { what: "system_id", most: 15, fault }),
    password: asciiOf(decoded(url.password), { what: "password", most: 64, fault }),
  };
}

function asciiOf(text: string, { what, most, fault }: { what: string; most: number; fault: Faults }): string {
  if (!/^[\x20-\x7e]*$/.test(text) || text.length > most) fault(`has a ${what} of more than ${most} characters, or with others than ASCII`);
  return text;
}

function wholeOf(url: URL, given: { name: string; least: number; most: number; usual: number; fault: Faults }): number {
  const text = url.searchParams.get(given.name);
  if (text === null) return given.usual;
  const value = /^\d{1,6}$/.test(text) ? Number(text) : -1;
  if (value < given.least || value > given.most) given.fault(`needs a ${given.name} from ${given.least} to ${given.most}`);
  return value;
}

function readCountries(text: string | null, fault: Faults): Reach {
  const reach = text === null ? [] : readReach(text);
  if (reach === null) fault("needs countries such as 86,1 or CN,US");
  return reach ?? [];
}

function readAlphabet(text: string | null, fault: Faults): DefaultAlphabet {
  const alphabet = defaultAlphabets.find((one) => one === (text ?? "gsm7"));
  if (alphabet === undefined) fault(`needs an alphabet of ${defaultAlphabets.join(", ")}`);
  return alphabet ?? "gsm7";
}

function readZone(text: string | null, fault: Faults): number {
  // A plus sign in a query is decoded as a space.
  const [, sign, hours, minutes] = /^([+ -])(\d\d):(\d\d)$/.exec(text ?? "+00:00") ?? [];
  if (sign === undefined || Number(hours) > 14 || Number(minutes) > 59) fault("needs a receipt_zone such as +08:00");
  return (sign === "-" ? -1 : 1) * (Number(hours ?? 0) * 60 + Number(minutes ?? 0));
}
