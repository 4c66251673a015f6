// Starts the API reference, and makes "Send" work on first use: with the caller's own project, in TEST, and with values that no earlier
// request had.

declare const Scalar: { createApiReference(place: string, configuration: object): void };

interface Example {
  reference?: string;
}
interface ApiDocument {
  components: { parameters: Record<string, { example?: string } | undefined> };
  paths: Record<string, Record<string, { requestBody?: { content?: Record<string, { example?: Example } | undefined> } }>>;
}
interface Project {
  id: string;
  slug: string;
}

const place = document.querySelector<HTMLElement>("#reference");
const isSignedIn = place?.dataset["visitor"] === "known";
/** Values that this page generated; each is sent once. */
const made = new Set<string>();
const used = new Set<string>();
const projects = new Map<string, Promise<string | null>>();
let exampleProject = "";
let count = 0;

function uniqueId(stem: string): string {
  count += 1;
  const value = `${stem}-${Date.now().toString(36)}${count}`;
  made.add(value);
  return value;
}

/** The value itself the first time, a new one afterwards; what a person typed doesn't change. */
function once(value: string, stem: string): string {
  if (!made.has(value)) return value;
  const next = used.has(value) ? uniqueId(stem) : value;
  used.add(next);
  return next;
}

/** The project that these credentials can access: the demo if there is one. */
function projectOf(credentials: Record<string, string>): Promise<string | null> {
  const name = JSON.stringify(credentials);
  const known = projects.get(name) ?? findProject(credentials);
  projects.set(name, known);
  return known;
}

async function findProject(headers: Record<string, string>): Promise<string | null> {
  const answer = await fetch("/api/v1/projects?limit=100", { headers });
  if (!answer.ok) return null;
  const { data } = (await answer.json()) as { data: Project[] };
  return (data.find(({ slug }) => slug === "demo") ?? data[0])?.id ?? null;
}

function credentialsIn(headers: Headers): Record<string, string> {
  const [bearer, key] = [headers.get("authorization"), headers.get("x-api-key")];
  return { ...(bearer === null ? {} : { authorization: bearer }), ...(key === null ? {} : { "x-api-key": key }) };
}

/** A header without a value is a field that wasn't filled in. */
function dropEmpty(headers: Headers): void {
  if (/^(bearer)?\s*$/i.test(headers.get("authorization") ?? "x")) headers.delete("authorization");
  if (headers.get("x-api-key")?.trim() === "") headers.delete("x-api-key");
}

async function addressOf(address: string, credentials: Record<string, string>): Promise<string> {
  const url = new URL(address, location.href);
  // Whatever hostname the document has for this server, requests only go to the page's origin.
  const here = new URL(url.pathname + url.search, location.origin);
  const named = /^\/api\/v1\/projects\/([^/]+)/.exec(decodeURIComponent(here.pathname))?.[1];
  if (named !== exampleProject && named !== "{projectId}") return here.href;
  const own = await projectOf(credentials);
  if (own !== null) here.pathname = decodeURIComponent(here.pathname).replace(named, own);
  return here.href;
}

function bodyOf(text: string): string {
  try {
    const body = JSON.parse(text) as Example;
    return typeof body.reference === "string" ? JSON.stringify({ ...body, reference: once(body.reference, "INV") }) : text;
  } catch {
    return text;
  }
}

async function send(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const request = new Request(input, init);
  const headers = new Headers(request.headers);
  dropEmpty(headers);
  const credentials = credentialsIn(headers);
  const key = headers.get("idempotency-key");
  if (key !== null) headers.set("idempotency-key", once(key, "try"));
  if (Object.keys(credentials).length === 0 && !headers.has("tillpost-environment")) headers.set("tillpost-environment", "test");
  const isJson = /json/.test(headers.get("content-type") ?? "");
  const body = request.method === "GET" || request.method === "HEAD" ? null : isJson ? bodyOf(await request.text()) : await request.blob();
  return fetch(await addressOf(request.url, credentials), { method: request.method, headers, body, signal: request.signal });
}

/** Replaces the examples with the caller's project and new values. */
async function fillIn(api: ApiDocument): Promise<void> {
  const { ProjectIdInPath: project, IdempotencyKey: key } = api.components.parameters;
  exampleProject = (isSignedIn ? await projectOf({}) : null) ?? "project-of-your-key";
  if (project !== undefined) project.example = exampleProject;
  if (key !== undefined) key.example = uniqueId("try");
  for (const methods of Object.values(api.paths)) {
    const example = methods["post"]?.requestBody?.content?.["application/json"]?.example;
    if (typeof example?.reference === "string") example.reference = uniqueId("INV");
  }
}

async function start(): Promise<void> {
  const api = (await (await fetch("/openapi.json")).json()) as ApiDocument;
  await fillIn(api);
  Scalar.createApiReference("#reference", {
    content: api,
    customFetch: send,
    proxyUrl: "",
    withDefaultFonts: false,
    telemetry: false,
    hideClientButton: true,
    showDeveloperTools: "never",
    showToolbar: "never",
    authentication: { preferredSecurityScheme: isSignedIn ? "session" : "bearer" },
    agent: { disabled: true },
    mcp: { disabled: true },
  });
}

void start();
