import { queryOptions } from "@tanstack/react-query";
import { ApiError, plainClient } from "./client.ts";

export type Role = "owner" | "admin" | "developer" | "reviewer" | "accountant" | "viewer";

interface Membership {
  merchant_id: string;
  merchant_name: string;
  verification_status: "pending" | "verified" | "rejected";
  role: Role;
}

interface Person {
  id: string;
  email: string;
  email_verified: boolean;
  name: string;
  language: "en" | "zh";
  is_operator: boolean;
  two_factor_enabled: boolean;
  memberships: Membership[];
  current: { merchant_id: string; role: Role; permissions_test: string[]; permissions_live: string[] } | null;
  active_project_id: string | null;
  active_environment: "TEST" | "LIVE";
  session_id: string;
}

export interface MyProject {
  id: string;
  name: string;
  slug: string;
  default_currency: string;
}

/** The person with the projects that they reach. */
export interface Me extends Person {
  projects: MyProject[];
  /** The merchant that these projects belong to. */
  membership: Membership | null;
}

const mostProjects = 100;

/** The page itself says when it came without a session, so that a visitor's first question is not answered by a 401. */
let nobody = document.querySelector<HTMLMetaElement>('meta[name="visitor"]')?.content === "nobody";

/** What the page said of its visitor no longer holds: somebody has just signed in. */
export function noteSignedIn(): void {
  nobody = false;
}

/** Who is signed in; null when nobody is. */
export const meQuery = queryOptions({
  queryKey: ["me"],
  staleTime: 60_000,
  queryFn: async (): Promise<Me | null> => {
    if (nobody) {
      nobody = false;
      return null;
    }
    try {
      const person = await plainClient.plain<Person>("GET /api/profile/me");
      const { current, memberships } = person;
      const projects =
        current === null ? [] : (await plainClient.plain<{ data: MyProject[] }>("GET /api/v1/projects", { query: { limit: mostProjects } })).data;
      return { ...person, projects, membership: memberships.find(({ merchant_id }) => merchant_id === current?.merchant_id) ?? null };
    } catch (error) {
      if (error instanceof ApiError && error.status === 401) return null;
      throw error;
    }
  },
});
