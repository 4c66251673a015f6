import { findGuard, type Guard } from "#guards/index.ts";
import type { Sender } from "#numbers/index.ts";
import { type Ctx, findNow, type Tenant } from "#platform/index.ts";

/** What the rules read from the database about a project. Each query runs once per request, however many messages it has. */
export interface Lookups {
  now(): Promise<Date>;
  /** The project's guards; null in TEST. */
  guard(): Promise<Guard>;
  mayUse(sender: Sender, country: string): Promise<boolean>;
  findUsual(country: string): Promise<Sender | null>;
}

export function createLookups(ctx: Ctx, tenant: Tenant): Lookups {
  const lookups = new Map<string, Promise<unknown>>();
  const once = <T>(question: string, ask: () => Promise<T>): Promise<T> => {
    const answer = (lookups.get(question) as Promise<T> | undefined) ?? ask();
    lookups.set(question, answer);
    return answer;
  };
  const { senders } = ctx.sms;
  return {
    now: () => once("now", () => findNow(ctx.db)),
    guard: () => once("guard", () => findGuard(ctx, tenant)),
    mayUse: (sender, country) =>
      once(`use ${country} ${sender.kind} ${sender.value}`, () => senders.mayUse(ctx.db, tenant, { sender, country })),
    findUsual: (country) => once(`usual ${country}`, () => senders.findUsual(ctx.db, tenant, country)),
  };
}
