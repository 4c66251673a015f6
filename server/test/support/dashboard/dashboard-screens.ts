import { readdirSync, readFileSync } from "node:fs";
import type { DashboardData } from "./dashboard-world.ts";

export interface Screen {
  /** The router's path. */
  route: string;
  /** What follows `/dashboard` in the address; the project is filled in there. */
  path(world: DashboardData): string;
  /** Outside any project: the reader needn't be signed in. */
  isPublic?: true;
}

const at = (route: string, path: string | ((world: DashboardData) => string) = route): Screen => ({
  route,
  path: typeof path === "string" ? () => path : path,
});
const publicScreen = (route: string, path = route): Screen => ({ ...at(route, path), isPublic: true });

/** Every screen of the dashboard, opened where it has something to show. A route without a line here fails the sweep. */
export const screens: Screen[] = [
  publicScreen("/sign-in"),
  publicScreen("/sign-up"),
  publicScreen("/forgot-password"),
  publicScreen("/reset-password", "/reset-password?token=none"),
  publicScreen("/verify-email", "/verify-email?token=none"),
  publicScreen("/invitation", "/invitation?token=none"),
  at("/"),
  at("/orders"),
  at("/orders/$id", ({ order }) => `/orders/${order}`),
  at("/review"),
  at("/exceptions"),
  at("/receipts"),
  at("/transactions"),
  at("/codes"),
  at("/gateways"),
  at("/gateways/$slug/new", "/gateways/alipay_merchant/new"),
  at("/gateways/$slug/$id", ({ account }) => `/gateways/stripe/${account}`),
  at("/keys"),
  at("/webhooks"),
  at("/webhooks/$id", ({ endpoint }) => `/webhooks/${endpoint}`),
  at("/messages"),
  at("/messages/$id", ({ email }) => `/messages/${email}`),
  at("/verifications"),
  at("/verifications/$id", ({ verification }) => `/verifications/${verification}`),
  at("/sms"),
  at("/sms/threads"),
  at("/sms/threads/$contact/$number", ({ thread }) => `/sms/threads/${thread.map(encodeURIComponent).join("/")}`),
  at("/sms/$id", ({ text }) => `/sms/${text}`),
  at("/calls"),
  at("/calls/$id", ({ call }) => `/calls/${call}`),
  at("/batches"),
  at("/batches/$id", ({ batch }) => `/batches/${batch}`),
  at("/usage"),
  at("/domains"),
  at("/suppressions"),
  at("/numbers"),
  at("/limits"),
  at("/team"),
  at("/audit"),
  at("/settings"),
  at("/new-project"),
  at("/security"),
  at("/operator/merchants"),
  at("/operator/merchants/$id", ({ tenant }) => `/operator/merchants/${tenant.merchant_id}`),
  at("/operator/merchants/$id/caps/$projectId", ({ tenant }) => `/operator/merchants/${tenant.merchant_id}/caps/${tenant.project_id}`),
  at("/operator/proofs"),
  at("/operator/numbers"),
  at("/operator/health"),
  at("/operator/transports"),
  at("/operator/prices"),
  at("/operator/reach"),
  at("/operator/mails"),
  at("/operator/refused-callbacks"),
  at("/operator/audit"),
];

/** One or two of each area, which `npm test` checks by axe-core; the long form checks all screens. */
export const samples: ReadonlySet<string> = new Set([
  ...["/sign-in", "/", "/orders", "/orders/$id", "/review", "/receipts", "/codes", "/gateways/$slug/$id", "/webhooks/$id"],
  ...["/sms/threads/$contact/$number", "/calls/$id", "/numbers", "/limits", "/team", "/operator/merchants/$id"],
]);

/** Screens that a palette's command or a link opens with a dialog. */
export const dialogs = [
  "/orders?new=1",
  "/receipts?import=1",
  "/receipts?record=1",
  "/keys?new=1",
  "/webhooks?new=1",
  "/sms?new=1",
  "/calls?new=1",
  "/domains?new=1",
  "/suppressions?new=1",
  "/numbers?new=1",
  "/operator/numbers?new=1",
  "/team?invite=1",
];

const source = new URL("../../../../web/dashboard/src/", import.meta.url);

/** The routes that the dashboard's own sources declare. */
export function listRoutes(): string[] {
  const features = new URL("features/", source);
  const declared = readdirSync(features, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith("feature.ts"))
    .map((name) => readFileSync(new URL(name.replaceAll("\\", "/"), features), "utf8"));
  const text = [...declared, readFileSync(new URL("app/router.tsx", source), "utf8")].join("\n");
  const routes = [...text.matchAll(/"(\/[^"]*)",\s*(?:live: true, )?(?:load: )?\(\) => import\(/g)].map(([, route = ""]) => route);
  const loads = text.match(/import\("/g)?.length;
  if (loads !== routes.length)
    throw new Error(`${loads} modules of screens, but ${routes.length} routes: this reader no longer understands how they are written`);
  return routes;
}
