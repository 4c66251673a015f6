import { pino } from "pino";
import { channels } from "#app/channels.ts";
import { gateways } from "#app/gateways.ts";
import { howToRun } from "#app/installed/how-to-run.ts";
import { methodsOf } from "#app/payment-methods.ts";
import { makeNewKeys } from "#email/domain/create-domain.ts";
import type { MailSettings } from "#email/index.ts";
import { type GatewayAdapter, listGateways, listMethods, type PaymentMethod, type PaymentMethods } from "#gateways/index.ts";
import type { Gateways } from "#gateways/registry.ts";
import { capNames, readPace, readTierCaps } from "#guards/index.ts";
import { listChannels, tiers } from "#messaging/index.ts";
import { callNumbers, smsNumbers } from "#numbers/index.ts";
import type { Egress } from "#platform/create-egress.ts";
import { type Ctx, createEgress, type Database, type FileStore, newId, readMasterKeys } from "#platform/index.ts";
import { testMasterKeys } from "./test-environment.ts";

const nowhere = async () => Promise.reject(Object.assign(new Error("no such name"), { code: "ENOTFOUND" }));
const usualUrl = "http://localhost:8080";

/** The payment providers of a test, and how they are reached. A repeated call doesn't wait, unless the test specifies it. */
export interface TestGateways {
  adapters: readonly GatewayAdapter[];
  urls?: readonly string[];
  wait?: Gateways["wait"];
  /** Where callbacks of demo accounts go; with it, gateways without an account are simulated. */
  deliver?: Gateways["deliver"];
}

const plenty = 1_000_000_000;
/** Guards wide enough for every test. */
const openGuards = {
  caps: readTierCaps(tiers.flatMap((tier) => capNames.map((name) => `${tier}.${name}=${plenty}`))),
  pace: readPace(["sms", "call"].flatMap((channel) => [600, 86_400].map((seconds) => `${channel}=${plenty / 10}/${seconds}`))),
};

let pair: ReturnType<typeof makeNewKeys> | undefined;

/** One key pair for all domains of a process. */
const sharedKeys: NonNullable<MailSettings["makeKeys"]> = () => (pair ??= makeNewKeys());

const lists: PaymentMethods[] = [];

/**
 * The list of these methods, the same one for all contexts of a process that have them: a server compiles its schemas once for each list,
 * which takes longer than most tests.
 */
function listOnce(methods: readonly PaymentMethod[]): PaymentMethods {
  const known = lists.find(({ all }) => all.length === methods.length && all.every((method, at) => method === methods[at]));
  if (known !== undefined) return known;
  const list = listMethods(methods);
  lists.push(list);
  return list;
}

/** A `Ctx` on any database, with a given time and files, and a silent log. Nothing leaves it unless an egress is given. */
export function contextOn(
  database: Database,
  given: {
    now: () => Date;
    files: FileStore;
    egress?: Egress;
    mail?: Partial<Ctx["mail"]>;
    sms?: Partial<Ctx["sms"]>;
    calls?: Partial<Ctx["calls"]>;
    guards?: Partial<Ctx["guards"]>;
    publicUrl?: string;
    methods?: readonly PaymentMethod[];
    gateways?: TestGateways;
  },
): Ctx {
  const publicUrl = given.publicUrl ?? usualUrl;
  const mail = {
    baseUrl: publicUrl,
    domain: "tillpost.example",
    bounceDomain: null,
    from: "Tillpost <no-reply@tillpost.example>",
    transport: "outbox",
    makeKeys: sharedKeys,
  } as const;
  return {
    egress: createEgress({ allow: [], publicUrl, resolve: nowhere }),
    ...given,
    db: database.db,
    log: pino({ level: "silent" }),
    actor: { kind: "system", id: "test" },
    requestId: null,
    claim: null,
    publicUrl,
    howToRun,
    mail: { ...mail, ...given.mail },
    sms: { routes: [], senders: smsNumbers, ...given.sms },
    calls: { atOnce: 10, hasRoute: () => false, ...callNumbers, ...given.calls },
    guards: { ...openGuards, callsAtOnce: given.calls?.atOnce ?? 10, ...given.guards },
    channels: listChannels(channels),
    methods: listOnce(given.methods ?? methodsOf(given.gateways?.adapters ?? gateways).all),
    gateways: listGateways(given.gateways?.adapters ?? gateways, { wait: async () => {}, ...given.gateways }),
    masterKeys: readMasterKeys(testMasterKeys),
    id: (prefix) => newId(prefix, given.now().getTime()),
    transact: (work) => database.transact(work),
    transactUnclaimed: (work) => database.transact(work),
  };
}
