import { availableParallelism } from "node:os";
import { join } from "node:path";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { filesOfChanges, filesWithPictures, type Kind, testFilesByKind } from "./server/test/support/run/kinds.ts";

const long = "**/*.long.test.ts";
const peers = "**/*.peers.test.ts";
/** Desks that are walked from end to end, and their details in other files. */
const desks = ["gateway-accounts", "numbers-desk", "limits-desk", "sms-desk", "calls-desk", "verifications-desk", "receiving-account"];
/**
 * Run in the browser by `npm run test:long`: in all eight looks, or if named `long` in the four of `detailed`. Those not named `long` also run
 * in the usual look by `npm test`, where they check less. `screens.long` covers all eight itself.
 */
const walked = [
  ...["arrival-journeys", "desk-journeys"].flatMap((name) => [`journeys/${name}`, `journeys/${name}.long`]),
  ...["journeys", "orders-list", "money-back"].map((name) => `journeys/${name}.long`),
  ...["desk", "desk.long", "outbox.long", "changed.long", "transfers.long"].map((name) => `desks/review/review-${name}`),
  ...["desks/receipts-desk", "desks/details/receipts-desk.long"],
  ...desks.flatMap((name) => [`desks/${name}.long`, `desks/details/${name}.long`]),
  ...["overview", "receiving-codes", "gateways"].map((name) => `desks/details/${name}.long`),
  ...["transports-desk", "dialogs-stay", "versions"].map((name) => `desks/details/${name}.long`),
  ...["stated-up-front", "not-found", "time-zone", "work-not-lost", "pages"].map((name) => `screens/${name}.long`),
];
/** About the keyboard, or about what only a wide screen has: not on a phone. */
const walkedWide = [
  ...["keyboard", "keyboard-focus.long", "rail.long"].map((name) => `screens/${name}`),
  ...["done-once", "details/done-once.long"].map((name) => `desks/${name}`),
];
/** Only about a phone's screen, whatever the look's device. */
const walkedOnPhone = ["journeys/canceled-orders.long"];
const looks = [
  ...["en-light-wide", "zh-light-wide", "en-dark-wide", "zh-dark-wide"],
  ...["en-light-phone", "zh-light-phone", "en-dark-phone", "zh-dark-phone"],
];
/** Each language on each device, and each theme on both. */
const detailed = new Set(["en-light-wide", "zh-dark-wide", "en-dark-phone", "zh-light-phone"]);
const pathOf = (name: string) => `web/e2e/${name}.test.ts`;
const walksIn = (look: string) =>
  [...walked, ...(look.endsWith("phone") ? walkedOnPhone : walkedWide)]
    .filter((name) => detailed.has(look) || !name.endsWith(".long"))
    .map(pathOf);
const walks = [...walked, ...walkedWide, ...walkedOnPhone].map(pathOf);
/** Files whose limits are times, rates or memory of the whole machine: they run after all others, one at a time. */
const measured = [
  ...["web/e2e/journeys/many-orders", "server/src/http/v1/assets-storm", "server/src/platform/egress/hostile"],
  ...["server/src/webhooks/delivery/many-workers", "server/test/rules/timings"],
  ...["server/test/faults/storms/restart-storm", "server/test/faults/storms/webhook-storm"],
].map((name) => `${name}.long.test.ts`);
/** The same for programs from Debian, with its 200 calls at once. */
const measuredPeers = ["server/src/providers/voice/sip/sip.peers.test.ts"];
const nowhere = ["**/node_modules/**", "**/dist/**"];

/**
 * The longest files, which start first: started last, they would run while nothing else is left. Of those that need the dashboard only one
 * is among the first, because in a new clone the others would wait for it to be built.
 */
const longest = [
  ...["guides", "messaging-guides", "crash-points", "cross-tenant", "linear", "backup", "screens", "kill", "race"],
  ...["refusals", "pay-page", "buyer-page", "first-steps", "fuzz", "commands"],
  ...["documents", "large-bodies", "gateway-journeys", "arrival-journeys", "upgrade"],
  // The long form's.
  ...["screens", "kill", "matching", "node-versions", "backup", "side-by-side", "mail-kill", "cut-off", "sms"].map(
    (name) => `${name}.long`,
  ),
  // Of those that start nothing, which run last.
  ...["decode-qr", "run-picture", "create-mx-transport", "programs"],
];

/** In this order, with each project's files together: a worker only keeps loaded modules from one file of a project to the next. */
const kinds: Kind[] = ["browser", "faults", "room", "unit", "web"];
const files = testFilesByKind();
/** These kinds in one project, which `npm test` runs: a worker that went on to another project would load the whole product again. */
const together = "product";
const fullPath = (name: string) => join(import.meta.dirname, name);
const kindsByPath = new Map(kinds.flatMap((kind) => files[kind].map((name) => [fullPath(name), kind] as const)));
/** One after the other: the process that reads a worker's pictures ends some time after the last one, and takes long to start. */
const withPictures = new Set(filesWithPictures(files).map(fullPath));

class LongestFirst extends BaseSequencer {
  override async sort(specifications: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ project, moduleId }: TestSpecification) => {
      const at = longest.findIndex((name) => moduleId.endsWith(`/${name}.test.ts`));
      const kind = project.name === together ? kindsByPath.get(moduleId) : project.name;
      const inKind = at >= 0 ? at : longest.length + (withPictures.has(moduleId) ? 0 : 1);
      return kinds.indexOf(kind as Kind) * (longest.length + 2) + inKind;
    };
    return (await super.sort(specifications)).sort((one, other) => place(one) - place(other));
  }
}

const pool = "forks" as const;

/**
 * Four files at once on two cores, the machine of the time budget, because many tests wait. One file per core on larger machines, up to
 * six: each has its own database and often its own server, and a worker grows to 1 GB.
 */
const workers = Math.min(6, Math.max(4, availableParallelism()));

/** Not an assertion, as little as the time limits: on a machine with other work everything takes longer, and what never ends must end. */
const patient = { poll: { timeout: 240_000 } };

/** Node runs the sources itself, as it does for the product; that is faster than Vite's own module loader. */
const native = { viteModuleRunner: false, nodeLoader: false };

/** Space for young objects, in MB: most of a test's are of no use once it has ended, and then aren't copied first. */
const roomy = ["--min-semi-space-size=32", "--max-semi-space-size=64"];

const ofKind = (name: string, include: string[]) => ({
  test: {
    pool,
    name,
    // The dashboard's unit tests import JSX, which Node doesn't know.
    ...(name === "web" ? {} : { experimental: native }),
    include,
    exclude: nowhere,
    testTimeout: 600_000,
    hookTimeout: 600_000,
    expect: patient,
    // Files of one worker share their modules: loading the whole product for each file would take longer than the tests.
    isolate: false,
    execArgv: roomy,
  },
});

export default defineConfig({
  test: {
    // Here and not with the projects, each of which would get its own folder and server inside the previous one's.
    globalSetup: ["server/test/support/run/run-folder.ts", "server/test/support/database/postgres.ts"],
    maxWorkers: workers,
    sequence: { sequencer: LongestFirst },
    teardownTimeout: 30_000,
    reporters: ["default", "./server/test/support/run/report-slow.ts"],
    projects: [
      ...kinds.map((name) => ofKind(name, files[name])),
      ofKind(together, [...files.browser, ...files.faults, ...files.room]),
      // With those that start nothing the ones that `npm run test:fast` runs.
      ofKind("changed", filesOfChanges(files)),
      ...looks.map((look) => ({
        test: {
          pool,
          experimental: native,
          name: `look-${look}`,
          include: walksIn(look),
          exclude: nowhere,
          env: { LOOK: look },
          testTimeout: 600_000,
          hookTimeout: 240_000,
          expect: patient,
        },
      })),
      {
        test: {
          pool,
          experimental: native,
          name: "long",
          include: [long],
          exclude: [...nowhere, ...measured, ...walks],
          testTimeout: 3_600_000,
          hookTimeout: 600_000,
          expect: patient,
        },
      },
      {
        test: {
          pool,
          experimental: native,
          name: "measured",
          include: measured,
          exclude: nowhere,
          maxWorkers: 1,
          sequence: { groupOrder: 1 },
          testTimeout: 3_600_000,
          hookTimeout: 600_000,
          expect: patient,
        },
      },
      {
        test: {
          pool,
          experimental: native,
          name: "peers",
          include: [peers],
          exclude: [...nowhere, ...measuredPeers],
          testTimeout: 300_000,
          hookTimeout: 600_000,
          expect: patient,
        },
      },
      {
        test: {
          pool,
          experimental: native,
          name: "measured-peers",
          include: measuredPeers,
          exclude: nowhere,
          maxWorkers: 1,
          sequence: { groupOrder: 1 },
          testTimeout: 300_000,
          hookTimeout: 600_000,
          expect: patient,
        },
      },
    ],
  },
});
