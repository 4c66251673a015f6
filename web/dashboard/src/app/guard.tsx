import { useQuery } from "@tanstack/react-query";
import { useNavigate, useParams, useRouterState } from "@tanstack/react-router";
import { lazy, Suspense, useEffect, useMemo, useRef, useState } from "react";
import { HereContext, hereOf } from "../data/here.tsx";
import { type Me, type MyProject, meQuery } from "../data/session.ts";
import { Trouble } from "../parts/pages/page.tsx";
import { Shell } from "./frame/shell.tsx";
import { SessionEnded } from "./public/session-ended.tsx";
import { SecondStepGate } from "./second-step/second-step-gate.tsx";

const FirstSteps = lazy(() => import("./public/first-steps.tsx"));

/** `/` and `/<page>`: redirects to the reader's last project, or to the sign-in page. */
export function ToProject() {
  const { pathname, search } = useRouterState({ select: (state) => state.location });
  return <Signed>{(me) => <Go to={pathname === "/" ? homeOf(me) : `${homeOf(me)}${pathname}`} search={search as never} />}</Signed>;
}

/** Every page of a project: requires a signed-in reader, an existing project, and one of the two environments. */
export function Guarded() {
  return <Signed>{(me) => <InProject me={me} />}</Signed>;
}

/** For signed-in people. A page that was open when the session ended stays, under a dialog: entered text isn't lost. */
function Signed({ children }: { children(me: Me): React.ReactNode }) {
  const read = useQuery(meQuery);
  const last = useRef<Me | null>(null);
  if (read.data != null) last.current = read.data;
  const href = useRouterState({ select: (state) => state.location.href });
  if (read.data === undefined)
    return read.error === null ? (
      <Quiet />
    ) : (
      <main className="lone" tabIndex={-1}>
        <Trouble error={read.error} again={() => void read.refetch()} />
      </main>
    );
  const me = read.data ?? last.current;
  if (me === null) return <Go to="/sign-in" search={{ next: href } as never} />;
  return (
    <>
      {children(me)}
      <SessionEnded me={me} open={read.data === null} />
    </>
  );
}

/** Redirects once: the URL changes during navigation, and must not redirect repeatedly. */
function Go({ to, search }: { to: string; search?: unknown }) {
  const navigate = useNavigate();
  const [first] = useState({ to, search, replace: true });
  useEffect(() => void navigate(first as never), [navigate, first]);
  return <Quiet />;
}

/** Shows no animation for this short moment. */
function Quiet() {
  return <div className="quiet" aria-busy="true" />;
}

function InProject({ me }: { me: Me }) {
  const { project: slug, environment } = useParams({ strict: false }) as { project: string; environment: string };
  const location = useRouterState({ select: (state) => state.location });
  const project = me.projects.find((one) => one.path === slug || one.id === slug);
  const livemode = environment === "live";
  const here = useMemo(() => (project === undefined ? null : hereOf(me, project, livemode)), [me, project, livemode]);
  useEffect(() => {
    document.documentElement.dataset["environment"] = livemode ? "live" : "test";
  }, [livemode]);
  if (me.projects.length === 0)
    return (
      <Suspense fallback={<Quiet />}>
        <FirstSteps me={me} />
      </Suspense>
    );
  // A URL without project and environment, as in emails and old bookmarks: "/orders/ord_…".
  if (here === null || (environment !== "live" && environment !== "test"))
    return <Go to={`${homeOf(me)}${location.pathname}`} search={location.search as never} />;
  return (
    <HereContext value={here}>
      <SecondStepGate>
        <Shell key={`${here.project.id} ${environment}`} />
      </SecondStepGate>
    </HereContext>
  );
}

function homeOf(me: Me): string {
  const project: MyProject | undefined = me.projects.find(({ id }) => id === me.active_project_id) ?? me.projects[0];
  return project === undefined ? "/new/test" : `/${project.path}/${me.active_environment.toLowerCase()}`;
}
