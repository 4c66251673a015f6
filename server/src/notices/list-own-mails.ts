import { type EmailFilters, listEmails } from "#email/index.ts";
import { type Ctx, ownProject } from "#platform/index.ts";

type Query = Parameters<typeof listEmails>[2];

/** System emails, newest first, without their texts. For operators: no project shows them. */
export function listOwnMails(ctx: Ctx, query: Query & { filters: EmailFilters }): ReturnType<typeof listEmails> {
  return listEmails(ctx, ownProject, query);
}
