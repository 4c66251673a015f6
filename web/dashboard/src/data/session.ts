import { queryOptions } from "@tanstack/react-query";
import type { Language } from "../words/language.tsx";
import { ApiError, plainClient } from "./client.ts";

export type Role = "owner" | "admin" | "developer" | "reviewer" | "accountant" | "viewer";

export interface Membership {
  merchant_id: string;
  merchant_name: string;
  verification_status: "pending" | "verified" | "rejected";
  second_step_required: boolean;
  role: Role;
  permissions_test: string[];
  permissions_live: string[];
}

interface Person {
  id: string;
  email: string;
  email_verified: boolean;
  name: string;
  language: Language;
  is_operator: boolean;
  two_factor_enabled: boolean;
  has_second_step: boolean;
  second_step_due_at: string | null;
  memberships: Membership[];
  active_project_id: string | null;
  active_environment: "TEST" | "LIVE";
  session_id: string;
}

export interface MyProject {
  id: string;
  merchant_id: string;
  name: string;
  slug: string;
  default_currency: string;
  settings: { time_zone?: string };
  /** The project in URLs: its slug, or its id if an older project of another merchant has the same slug. */
  path: string;
}

/** The person with the projects that they can access. */
export interface Me extends Person {
  projects: MyProject[];
}

const maxProjects = 100;

/** Memberships with which the person can create projects. */
export function leadsAt(me: Me): Membership[] {
  return me.memberships.filter(({ role }) => role === "owner" || role === "admin");
}

/** The page itself says if it was loaded without a session, so that a visitor's first request doesn't get a 401. */
let isSignedOut = document.querySelector<HTMLMetaElement>('meta[name="visitor"]')?.content === "nobody";

/** The page's embedded data about its visitor is outdated: a person has just signed in. */
export function noteSignedIn(): void {
  isSignedOut = false;
}

/** The signed-in person; null if there is none. */
export const meQuery = queryOptions({
  queryKey: ["me"],
  staleTime: 60_000,
  queryFn: async (): Promise<Me | null> => {
    if (isSignedOut) {
      isSignedOut = false;
      return null;
    }
    try {
      const person = await plainClient.plain<Person>("GET /api/profile/me");
      if (person.memberships.length === 0) return { ...person, projects: [] };
      const { data } = await plainClient.plain<{ data: Omit<MyProject, "path">[] }>("GET /api/v1/projects", {
        query: { limit: maxProjects },
      });
      return {
        ...person,
        projects: data.map((one, at) => ({ ...one, path: data.slice(at + 1).some(({ slug }) => slug === one.slug) ? one.id : one.slug })),
      };
    } catch (error) {
      if (error instanceof ApiError && error.status === 401) return null;
      throw error;
    }
  },
});
