import { resolve4, resolveMx, resolvePtr, resolveTxt } from "node:dns/promises";
import { connect } from "node:net";
import type { Settings } from "../config.ts";
import type { Finding } from "./checks.ts";
import { checkSender } from "./sender-checks.ts";

/** The external checks, replaceable in tests. */
export interface MailProbes {
  /** Whether a server sends a greeting within some seconds; otherwise why not. */
  greets(host: string, port: number): Promise<{ greets: true } | { greets: false; reason: string }>;
  mx(domain: string): Promise<string[]>;
  addresses(name: string): Promise<string[]>;
  names(address: string): Promise<string[]>;
  texts(name: string): Promise<string[]>;
  /** Why the relay doesn't accept us, including sign-in; null if it does. */
  relayFault(url: string, hello: string): Promise<string | null>;
}

const check = "mail";
const timeoutMs = 5_000;

/** Checks whether email can leave and bounces can return, and says what to do if not. `isRunning`: the bounce host should be listening. */
export async function checkMail(settings: Settings, given: { isRunning: boolean; probes?: MailProbes }): Promise<Finding[]> {
  const probes = given.probes ?? realProbes;
  const sender = checkSender(settings);
  if (settings.EMAIL_TRANSPORT === "outbox") return [...checkOutbox(settings), ...sender];
  const delivery =
    settings.EMAIL_TRANSPORT === "relay"
      ? [await checkRelay(settings, probes)]
      : [await checkPort25(settings, probes), ...(await checkNames(settings, probes))];
  return [
    ...sender,
    ...delivery,
    ...(await checkSpf(settings, probes)),
    ...(await checkBounces(settings, { isRunning: given.isRunning, probes })),
  ];
}

/** People who rely on email get none while it's only stored here. */
export function checkOutbox({ EMAIL_TRANSPORT }: Pick<Settings, "EMAIL_TRANSPORT">): Finding[] {
  if (EMAIL_TRANSPORT !== "outbox") return [];
  const message = "LIVE email stays in the outbox; nothing is sent: invitations, password resets and receipts reach no one";
  const fix = "Set EMAIL_TRANSPORT to relay, with EMAIL_RELAY_URL, or to mx. Until then `mail show` prints the newest system email.";
  return [{ check, state: "note", message, fix }];
}

async function checkRelay({ EMAIL_RELAY_URL, EMAIL_HELO }: Settings, probes: MailProbes): Promise<Finding> {
  const url = EMAIL_RELAY_URL ?? "";
  const host = new URL(url).host;
  const fault = await probes.relayFault(url, EMAIL_HELO);
  if (fault === null) return { check, state: "fine", message: `the relay ${host} accepts our connection` };
  return {
    check,
    state: "fault",
    message: `the relay ${host} doesn't accept our connection: ${fault}`,
    fix: "Check host, port, user and password in EMAIL_RELAY_URL, and that this machine can reach it.",
  };
}

/** Many hosting providers block the port that email leaves through. Only the configured domain is connected to. */
async function checkPort25({ DOCTOR_MAIL_DOMAIN: domain }: Settings, probes: MailProbes): Promise<Finding> {
  if (domain === null) {
    const fix = "To check it, set DOCTOR_MAIL_DOMAIN to a domain whose mail servers this machine can reach.";
    return { check, state: "note", message: "whether port 25 reaches other mail servers wasn't checked", fix };
  }
  const [host] = await probes.mx(domain).catch(() => []);
  if (host === undefined) {
    const fix = "Check this machine's DNS resolver: it must answer MX queries.";
    return { check, state: "fault", message: `DNS doesn't say where email for ${domain} goes`, fix };
  }
  const tried = await probes.greets(host, 25);
  if (tried.greets) return { check, state: "fine", message: `port 25 reaches other mail servers (${host})` };
  const fix = "Most hosting providers block port 25 by default: have it opened, or set EMAIL_TRANSPORT=relay.";
  return { check, state: "fault", message: `port 25 doesn't reach other mail servers (${host}: ${tried.reason})`, fix };
}

/** Other servers look up the name that we announce and the address that we connect from, and require them to match. */
async function checkNames({ EMAIL_HELO: name }: Settings, probes: MailProbes): Promise<Finding[]> {
  if (!name.includes(".")) {
    return [
      {
        check,
        state: "fault",
        message: `this host introduces itself as ${name}, which isn't a fully qualified name`,
        fix: "Set EMAIL_HELO to this machine's public name, for example mail.example.com.",
      },
    ];
  }
  const addresses = await probes.addresses(name).catch(() => []);
  if (addresses.length === 0)
    return [
      {
        check,
        state: "fault",
        message: `${name} has no address in DNS`,
        fix: `Publish an A record for ${name} with this machine's public address.`,
      },
    ];
  return Promise.all(
    addresses.map(async (address): Promise<Finding> => {
      const names = await probes.names(address).catch(() => []);
      if (names.some((one) => one.toLowerCase().replace(/\.$/, "") === name.toLowerCase()))
        return { check, state: "fine", message: `${name} and ${address} resolve to each other` };
      const message = names.length === 0 ? `${address} has no name (PTR record)` : `${address} has the name ${names[0]}, not ${name}`;
      return {
        check,
        state: "fault",
        message,
        fix: `Ask the provider of ${address} to set its PTR record to ${name}, or set EMAIL_HELO to the name it has.`,
      };
    }),
  );
}

/** Email is sent from the bounce domain, and the SPF records of projects' own domains include the platform's. */
function checkSpf(settings: Settings, probes: MailProbes): Promise<Finding[]> {
  const domains = [...new Set([settings.EMAIL_DOMAIN, settings.EMAIL_BOUNCE_DOMAIN])].filter((domain) => domain !== null);
  return Promise.all(
    domains.map(async (domain): Promise<Finding> => {
      const texts = await probes.texts(domain).catch(() => []);
      const records = texts.filter((text) => /^v=spf1(\s|$)/i.test(text));
      if (records.length === 1) return { check, state: "fine", message: `${domain} has an SPF record` };
      if (records.length > 1)
        return {
          check,
          state: "fault",
          message: `${domain} has ${records.length} SPF records, so receivers ignore them all`,
          fix: "Merge them into one.",
        };
      const record =
        settings.EMAIL_TRANSPORT === "mx"
          ? `TXT ${domain} = v=spf1 a:${settings.EMAIL_HELO} -all`
          : `at ${domain} the SPF record that your relay's operator specifies`;
      return {
        check,
        state: "note",
        message: `${domain} has no SPF record, so receivers can't tell who is allowed to send for it`,
        fix: `Publish ${record}`,
      };
    }),
  );
}

async function checkBounces(settings: Settings, { isRunning, probes }: { isRunning: boolean; probes: MailProbes }): Promise<Finding[]> {
  const { EMAIL_BOUNCE_DOMAIN: domain, EMAIL_BOUNCE_HOST: host, EMAIL_BOUNCE_PORT: port } = settings;
  if (domain === null) {
    return [
      {
        check,
        state: "note",
        message: "bounces aren't received, so late failures go unnoticed",
        fix: "Set EMAIL_BOUNCE_DOMAIN to a domain whose MX record is this server.",
      },
    ];
  }
  const [mx] = await probes.mx(domain).catch(() => []);
  const findings: Finding[] = [
    mx === undefined
      ? {
          check,
          state: "fault",
          message: `${domain} has no MX record, so bounces go nowhere`,
          fix: `Publish an MX record for ${domain} that points to this server, and forward its port 25 to port ${port}.`,
        }
      : { check, state: "fine", message: `bounces to ${domain} go to ${mx}` },
  ];
  if (!isRunning) return findings;
  const here = await probes.greets(host, port);
  findings.push(
    here.greets
      ? { check, state: "fine", message: `the bounce host listens on port ${port}` }
      : {
          check,
          state: "fault",
          message: `the bounce host isn't listening on port ${port} (${here.reason})`,
          fix: "Start Tillpost, or check its log for why the port couldn't be opened.",
        },
  );
  return findings;
}

const realProbes: MailProbes = {
  greets: (host, port) =>
    new Promise((resolve) => {
      const socket = connect({ host, port });
      const end = (outcome: { greets: true } | { greets: false; reason: string }) => {
        clearTimeout(timer);
        socket.destroy();
        resolve(outcome);
      };
      const timer = setTimeout(() => end({ greets: false, reason: "no answer" }), timeoutMs);
      socket.once("data", (greeting) =>
        end(String(greeting).startsWith("220") ? { greets: true } : { greets: false, reason: String(greeting).trim().slice(0, 200) }),
      );
      socket.once("error", (error) => end({ greets: false, reason: (error as NodeJS.ErrnoException).code ?? error.message }));
    }),
  mx: async (domain) => (await resolveMx(domain)).toSorted((left, right) => left.priority - right.priority).map(({ exchange }) => exchange),
  addresses: (name) => resolve4(name),
  // What DNS returns, rather than this machine's hosts file: that is what others see.
  names: (address) => resolvePtr(`${address.split(".").toReversed().join(".")}.in-addr.arpa`),
  texts: async (name) => (await resolveTxt(name)).map((parts) => parts.join("")),
  async relayFault(url, hello) {
    const { relayPeer, tryRelay } = await import("#providers/email/smtp/relay/create-relay-transport.ts");
    return tryRelay(relayPeer({ url, hello, limits: { connectMs: timeoutMs, helloMs: timeoutMs } }));
  },
};
