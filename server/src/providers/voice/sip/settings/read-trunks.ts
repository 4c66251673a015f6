import { parameterFaults, sameNameFaults, splitUrls } from "#messaging/index.ts";
import type { Transport } from "../net/signalling.ts";
import type { TrunkConfig } from "../trunk/config.ts";
import { parseHostPort } from "../wire/address.ts";

const transports: Readonly<Record<string, Transport>> = { udp: "UDP", tcp: "TCP", tls: "TLS" };
const parameters = ["name", "transport", "register", "channels", "cps", "countries", "plus", "srtp", "ping"];

/**
 * Parses `SIP_TRUNKS`: comma-separated `sip://user:password@host:5060?name=…&transport=udp|tcp|tls&register=1&channels=30&countries=US,49`.
 * Faults identify a trunk by its position, and none repeats a value, because an unencoded password may be anywhere in it.
 */
export function readTrunks(text: string): { trunks: TrunkConfig[]; faults: string[] } {
  const read = splitUrls(text, "sip").map((part, index) => readTrunk(part, index + 1));
  const names = read.map(({ trunk }) => trunk?.name);
  return {
    trunks: read.flatMap(({ trunk }) => (trunk === null ? [] : [trunk])),
    faults: [...read.flatMap(({ faults }) => faults), ...sameNameFaults("trunk", names)],
  };
}

function readTrunk(text: string, place: number): { trunk: TrunkConfig | null; faults: string[] } {
  const url = URL.parse(text);
  if (url === null || !/^sips?:$/.test(url.protocol)) {
    const encoded = "#, /, ?, @, % and spaces of the password percent-encoded";
    return { trunk: null, faults: [`trunk ${place} must be a URL such as sip://user:password@host:5060, with ${encoded}`] };
  }
  const given = url.searchParams;
  const faults: string[] = [];
  const fault = (words: string) => void faults.push(`trunk ${place} ${words}`);
  const number = (name: string, { usual, most }: { usual: number; most: number }) => {
    const value = given.get(name) ?? String(usual);
    if (/^\d{1,5}$/.test(value) && Number(value) >= 1 && Number(value) <= most) return Number(value);
    fault(`must have ${name} from 1 to ${most}`);
    return usual;
  };
  const flag = (name: string, usual: boolean) => {
    const value = given.get(name) ?? (usual ? "1" : "0");
    if (value !== "1" && value !== "0") fault(`must have ${name} 1 or 0`);
    return value === "1";
  };
  const address = parseHostPort(url.host);
  if (address === null) fault("must name a host");
  for (const words of parameterFaults(url, { names: parameters })) fault(words);
  const transport = transports[(given.get("transport") ?? (url.protocol === "sips:" ? "tls" : "udp")).toLowerCase()];
  if (transport === undefined || (url.protocol === "sips:" && transport !== "TLS"))
    fault("must have the transport udp, tcp or tls, and tls with sips://");
  const trunk: TrunkConfig = {
    name: readName(given.get("name"), { host: address?.host ?? "", fault }),
    host: address?.host ?? "",
    port: address?.port ?? null,
    transport: transport ?? "UDP",
    user: url.username === "" ? null : decoded(url.username, fault),
    password: url.password === "" ? null : decoded(url.password, fault),
    register: flag("register", false),
    channels: number("channels", { usual: 30, most: 10_000 }),
    cps: number("cps", { usual: 1, most: 1_000 }),
    countries: readCountries(given.get("countries"), fault),
    plus: flag("plus", true),
    srtp: flag("srtp", false),
    ping: flag("ping", true),
  };
  for (const words of disagreements(trunk)) fault(words);
  return { trunk: faults.length === 0 ? trunk : null, faults };
}

function readName(given: string | null, { host, fault }: { host: string; fault: (words: string) => void }): string {
  if (given !== null && !/^[\w.-]{1,40}$/.test(given)) fault("must have a name of up to 40 letters, digits, dots, dashes and underscores");
  return given ?? host;
}

function readCountries(given: string | null, fault: (words: string) => void): readonly string[] | null {
  if (given === null || given === "") return null;
  const countries = given.split(",").map((one) => one.trim().toUpperCase());
  if (!countries.every((one) => /^[A-Z]{2}$|^[1-9]\d{0,6}$/.test(one)))
    fault("must have countries as codes such as US,DE or calling codes such as 1,49");
  return countries;
}

function decoded(text: string, fault: (words: string) => void): string {
  try {
    return decodeURIComponent(text);
  } catch {
    fault("has a user or password with a % that is not written as %25");
    return "";
  }
}

function disagreements(trunk: TrunkConfig): string[] {
  return [
    ...(trunk.register && (trunk.user === null || trunk.password === null)
      ? ["must have a user and a password to be registered with"]
      : []),
    ...(trunk.user === null && trunk.password !== null ? ["has a password without a user"] : []),
    ...(trunk.srtp && trunk.transport !== "TLS" ? ["must have the transport tls for srtp: its keys are part of the signaling"] : []),
  ];
}
