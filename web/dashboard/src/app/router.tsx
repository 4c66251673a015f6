import type { QueryClient } from "@tanstack/react-query";
import { createRootRouteWithContext, createRoute, createRouter, lazyRouteComponent, Outlet } from "@tanstack/react-router";
import { features } from "../features/index.ts";
import { parseSearch, stringifySearch } from "../parts/filters/search.ts";
import { Fallen } from "./fallen.tsx";
import { Guarded, ToProject } from "./guard.tsx";
import { NotThere } from "./not-there.tsx";

declare module "@tanstack/react-router" {
  interface StaticDataRouteOption {
    live?: true;
  }
}

const rootRoute = createRootRouteWithContext<{ queries: QueryClient }>()({ component: Outlet, notFoundComponent: NotThere });

/** Outside of any project: for people who aren't signed in yet, and for links from emails. */
const publicRoutes = (
  [
    ["/sign-in", () => import("./public/sign-in.tsx")],
    ["/sign-up", () => import("./public/sign-up.tsx")],
    ["/forgot-password", () => import("./public/forgot-password.tsx")],
    ["/reset-password", () => import("./public/reset-password.tsx")],
    ["/verify-email", () => import("./public/verify-email.tsx")],
    ["/invitation", () => import("./public/invitation.tsx")],
  ] as const
).map(([path, load]) => createRoute({ getParentRoute: () => rootRoute, path, component: lazyRouteComponent(load) }));

const indexRoute = createRoute({ getParentRoute: () => rootRoute, path: "/", component: ToProject });

/** A URL of one part, as in emails: "/review". */
const shortRoute = createRoute({ getParentRoute: () => rootRoute, path: "/$page", component: ToProject });

const projectRoute = createRoute({ getParentRoute: () => rootRoute, path: "/$project/$environment", component: Guarded });

const screens = features
  .flatMap(({ pages }) => pages)
  .map(({ path, load, live }) =>
    createRoute({
      getParentRoute: () => projectRoute,
      path,
      component: lazyRouteComponent(load),
      staticData: live === undefined ? {} : { live },
      // The page of another object starts from the beginning: a dialog that asked about one order must never act on the next.
      remountDeps: ({ params }) => params,
    }),
  );

/**
 * The same URLs without project and environment, of pages with three or more parts: "/operator/merchants/mer_…". The first two parts
 * would be read as a project and environment; `Guarded` does the same for pages of two.
 */
const longRoutes = features
  .flatMap(({ pages }) => pages)
  .filter(({ path }) => path.split("/").length > 3)
  .map(({ path }) => createRoute({ getParentRoute: () => rootRoute, path, component: ToProject }));

export function createDashboardRouter(queries: QueryClient) {
  return createRouter({
    routeTree: rootRoute.addChildren([indexRoute, ...publicRoutes, shortRoute, ...longRoutes, projectRoute.addChildren(screens)]),
    basepath: "/dashboard",
    context: { queries },
    parseSearch,
    stringifySearch,
    defaultPreload: "intent",
    defaultErrorComponent: Fallen,
    defaultNotFoundComponent: NotThere,
    scrollRestoration: true,
  });
}
