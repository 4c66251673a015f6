import { ApiError, type Client, createClient, type PlainInput, type RouteName } from "@tillpost/sdk";
import { provedToBeYou } from "./confirm.ts";

/**
 * A client for one project and environment; each call specifies both, so that another tab can't change them. Without them, for what belongs
 * to no project.
 */
export function clientFor(livemode: boolean | null, projectId?: string): Client {
  const client = createClient({
    baseUrl: "",
    headers: (): Record<string, string> => ({
      ...(livemode === null ? {} : { "tillpost-environment": livemode ? "live" : "test" }),
      ...(projectId === undefined ? {} : { "tillpost-project": projectId }),
    }),
  });
  const again = async <T>(route: string, call: () => Promise<T>): Promise<T> => {
    try {
      return await call();
    } catch (error) {
      if (error instanceof ApiError && error.status === 401 && !asksWhoIsThere.test(route)) signedOut();
      if (!(error instanceof ApiError) || error.code !== "fresh_session_required" || !(await provedToBeYou())) throw error;
      return call();
    }
  };
  return {
    open: (route, input) => again(route, () => client.open(route, input)),
    plain: <T>(route: string, input?: PlainInput) => again(route, () => client.plain<T>(route, input)),
    call: <R extends RouteName>(route: R, input: Parameters<typeof client.call<R>>[1]) => again(route, () => client.call(route, input)),
  };
}

/** Requests whose 401 is a normal response, not the end of a session. */
const asksWhoIsThere = / \/api\/(auth\/|profile\/me$)/;

let signedOut: () => void = () => {};

/** Called whenever a request is refused because the session has ended, whether it reads or writes. */
export function onSignedOut(listener: () => void): void {
  signedOut = listener;
}

export const plainClient = clientFor(null);

export type { Objects } from "@tillpost/sdk";
export { ApiError } from "@tillpost/sdk";
