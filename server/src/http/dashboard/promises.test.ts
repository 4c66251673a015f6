import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { blocksOf } from "#test/support/guides/guides.ts";

const root = new URL("../../../../", import.meta.url);
const read = (path: string) => readFileSync(new URL(path, root), "utf8");
const inFolder = (path: string, name: RegExp) =>
  readdirSync(new URL(path, root), { recursive: true, encoding: "utf8" })
    .map((file) => `${path}/${file.replaceAll("\\", "/")}`)
    .filter((file) => name.test(file));

const guides = ["README.md", ...inFolder("docs", /^docs\/(?:messaging\/)?(?!errors|settings|verification|benchmarks)[a-z-]+\.md$/)];
const routes = read("docs/routes.txt")
  .split("\n")
  .filter((line) => line !== "")
  .map((line) => line.split(/ +/) as [method: string, path: string, access: string]);

const partsOf = (path: string) =>
  path
    .replace(/\?.*$/, "")
    .replace(/[.,;]$/, "")
    .split("/")
    .filter((part) => part !== "");

const fits = (named: string[], route: string[]) =>
  named.length === route.length &&
  named.every((part, at) => part === route[at] || (route[at]?.startsWith(":") === true && /^[:$]|_…|^(wechat|alipay)$|@/.test(part)));

/** The routes that match a method and a path; `…` at the start matches any prefix. */
const routesOf = (method: string, path: string): string[] => {
  const named = partsOf(path.replace(/^…/, ""));
  return routes.flatMap(([verb, route]) => {
    const whole = partsOf(route);
    return verb === method && fits(named, path.startsWith("…") ? whole.slice(-named.length) : whole) ? [`${verb} ${route}`] : [];
  });
};

/** What a guide names in its sentences. */
const namedIn = (guide: string) =>
  [...read(guide).matchAll(/\b(GET|POST|PUT|PATCH|DELETE) `?((?:…?\/)[^\s`|)"*]+)/g)].map(([, method = "", path = ""]) => ({
    guide,
    method,
    path,
  }));

test("every route that a guide mentions exists", () => {
  const named = guides.flatMap(namedIn);
  expect(named.length).toBeGreaterThan(20);
  expect(named.filter(({ method, path }) => routesOf(method, path).length === 0)).toEqual([]);
});

/** Routes that guides name and no block asks, and why. */
const untried: Readonly<Record<string, string>> = {
  "GET /api/admin/emails": "operators' pages: a session, no key",
  "POST /api/admin/merchants/:id/suspend-sending": "operators' pages: a session, no key",
  "POST /api/admin/merchants/:id/resume-sending": "operators' pages: a session, no key",
  "PATCH /api/v1/merchant": "asks for a session; the guide names the page of the dashboard",
  "POST /api/v1/projects/:projectId/orders/:id/claim/dismiss": "needs a buyer at the page of a canceled order; the dashboard has a button",
  "GET /api/v1/projects/:projectId/events/stream": "has no end",
  "DELETE /v1/calls/:id/recordings/:recordingId": "needs an id from the list of recordings that the block before it prints",
  "PATCH /api/v1/projects/:projectId/messaging-limits": "asks for a session that was confirmed: no key may loosen a limit",
  "GET /api/v1/projects/:projectId/messaging-spend": "asks for a session, no key",
  "GET /api/v1/projects/:projectId/messaging-pauses": "asks for a session, no key",
  "POST /api/v1/projects/:projectId/messaging-pauses/:id/release": "asks for a session that was confirmed",
  "PUT /api/admin/messaging-policy": "operators' pages: a session, no key",
  "PUT /api/admin/message-prices": "operators' pages: a session, no key",
  "PATCH /api/admin/projects/:id/messaging-limits": "operators' pages: a session, no key",
  "POST /api/admin/messaging-pauses/:id/release": "operators' pages: a session, no key",
};

test("every request that a guide describes is in a guide as a block that runs", () => {
  // Blocks are run as they are: see guides.long.test.ts.
  const requested = new Set(
    guides.flatMap((guide) =>
      blocksOf(guide === "README.md" ? "../README.md" : guide.replace("docs/", "")).flatMap(({ text }) =>
        [...text.replaceAll("\\\n", " ").matchAll(/^curl (.*)/gm)].flatMap(([, line = ""]) => {
          const path = /(?:http:\/\/localhost:8080|\$API)([^\s"]*)/.exec(line)?.[1] ?? "";
          const method = /-X ([A-Z]+)/.exec(line)?.[1] ?? (/ -[dF] /.test(line) ? "POST" : "GET");
          return routesOf(method, path);
        }),
      ),
    ),
  );
  expect(requested.size).toBeGreaterThan(40);
  const missing = guides
    .flatMap(namedIn)
    .filter(({ method, path }) => !routesOf(method, path).some((route) => requested.has(route) || route in untried));
  expect(missing).toEqual([]);
  expect(Object.keys(untried).filter((route) => requested.has(route))).toEqual([]);
});

test("a new key is offered no permission that no route requires", () => {
  const text = read("web/dashboard/src/features/keys/key-fields.tsx");
  const rooms = /\[((?:"[a-z_]+"(?:, )?)+)\]\.flatMap/.exec(text)?.[1] ?? "";
  const offered = [
    ...[...text.matchAll(/"([a-z_]+:(?:read|write))"/g)].map(([, scope = ""]) => scope),
    ...[...rooms.matchAll(/"([a-z_]+)"/g)].flatMap(([, room]) => [`${room}:read`, `${room}:write`]),
  ];
  expect(offered.length).toBeGreaterThan(12);
  const required = routes.map(([, , access]) => access).join(" ");
  expect(offered.filter((scope) => !required.includes(scope))).toEqual([]);
});

/** What Tillpost does not do, or only in the books. */
const absent = new RegExp(
  [/payout|withdrawals?\b/, /coming soon|close (?:the|your) (?:business|account|merchant)/, /提现|注销|敬请期待/]
    .map(({ source }) => source)
    .join("|"),
  "i",
);

test("no screen, page, email or guide promises what doesn't exist", () => {
  const texts = [
    ...guides,
    ...inFolder("web/dashboard/src", /\.(words\.ts|tsx)$/),
    ...inFolder("web/dashboard/src/words", /\.ts$/),
    ...inFolder("server/src/checkout/page/words", /(?<!test)\.ts$/),
    ...inFolder("server/src/notices/words", /(?<!test)\.ts$/),
  ];
  // Of a source only what it says, not its names.
  const textIn = (path: string, line: string) =>
    /\.md$|words[./]/.test(path) ? line : (line.match(/(?<!\[)"[^"]*"|`[^`/][^`]*`|>[^<>{}]*</g) ?? []).join(" ");
  const promised = texts.flatMap((path) =>
    read(path)
      .split("\n")
      .filter((line) => !/^import |from "/.test(line) && absent.test(textIn(path, line)))
      .map((line) => `${path}: ${line.trim().slice(0, 160)}`),
  );
  expect(promised).toEqual([]);
});

interface Described {
  description?: unknown;
  summary?: unknown;
  enum?: unknown[];
  items?: Described;
}

/** Every object of a document, with the description that it or what holds it has. */
function* described(value: unknown, path = "", above = ""): Generator<{ path: string; node: Described; text: string }> {
  if (typeof value !== "object" || value === null) return;
  const node = value as Described;
  const text = typeof node.description === "string" ? node.description : above;
  if (!Array.isArray(value)) yield { path, node, text };
  // What a property, a parameter or a list says holds for what is in it.
  const inherits = (key: string) => key === "items" || key === "schema" || key === "anyOf" || /^\d+$/.test(key);
  for (const [key, part] of Object.entries(value)) {
    if (key !== "example" && key !== "examples") yield* described(part, `${path}/${key}`, inherits(key) ? `${above} ${text}` : "");
  }
}

/** What the API document says of them. */
const honestInApi = /are reserved|is reserved/;

/** Values that contract or interface reserve and nothing sets yet. */
const unset = /^(payout|platform)$/;

test("the API document and the list of errors offer nothing more: what nothing sets is called reserved", () => {
  const nodes = [...described(JSON.parse(read("docs/openapi.json")))];
  expect(nodes.length).toBeGreaterThan(5_000);
  const promised = nodes.flatMap(({ path, node }) =>
    [node.description, node.summary]
      .filter((text) => typeof text === "string" && absent.test(text) && !honestInApi.test(text))
      .map((text) => `${path}: ${text}`),
  );
  const offered = nodes.flatMap(({ path, node, text }) => {
    const values = (Array.isArray(node.enum) ? node.enum : []).filter((value) => unset.test(String(value)));
    return values.length > 0 && !text.includes("reserved") ? [`${path}: ${values.join(", ")}`] : [];
  });
  const inErrors = read("docs/errors.md")
    .split("\n")
    .filter((line) => absent.test(line));
  expect([...promised, ...offered, ...inErrors]).toEqual([]);
});
