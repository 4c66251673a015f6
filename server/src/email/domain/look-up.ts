import { Resolver } from "node:dns/promises";
import { type DomainRecord, isPublished } from "./records.ts";

/** The DNS queries that are needed; `Resolver` of `node:dns/promises` implements them. */
export interface DomainDns {
  resolveTxt(name: string): Promise<string[][]>;
  resolveCname(name: string): Promise<string[]>;
}

/** The result of one lookup for each record; null if DNS didn't respond. */
export type Findings = readonly (boolean | null)[];

const timeoutMs = 2_500;

let system: DomainDns | undefined;

/** The machine's own name servers. */
export function systemDns(): DomainDns {
  system ??= new Resolver({ timeout: timeoutMs, tries: 2 });
  return system;
}

/** Looks up all records at once. Never throws: a name server that is down gives no result, which isn't a missing record. */
export function lookUp(dns: DomainDns, records: readonly DomainRecord[]): Promise<Findings> {
  return Promise.all(
    records.map(async (record) => {
      try {
        const found =
          record.type === "CNAME"
            ? await dns.resolveCname(record.name)
            : (await dns.resolveTxt(record.name)).map((parts) => parts.join(""));
        return isPublished(record, found);
      } catch (error) {
        return ["ENOTFOUND", "ENODATA"].includes((error as { code?: string }).code ?? "") ? false : null;
      }
    }),
  );
}

/**
 * In TEST nothing needs to be published for a name under `.test`, which DNS will never have: all its records count as found, unless the
 * name begins with `missing`.
 */
export function pretended(name: string, records: readonly DomainRecord[]): Findings | null {
  return name.endsWith(".test") ? records.map(() => !name.startsWith("missing")) : null;
}
