import { Resolver } from "node:dns/promises";

/** The DNS lookups that delivery needs. Errors carry the codes of `node:dns`. */
export interface MailDns {
  mx(domain: string): Promise<{ exchange: string; priority: number }[]>;
  /**
   * All addresses, IPv4 first: few hosts have a reverse name for their IPv6 address, and mail from an address without one is refused. Empty
   * if there are none.
   */
  addresses(host: string): Promise<string[]>;
  txt(name: string): Promise<string[]>;
}

const nothing = new Set(["ENODATA", "ENOTFOUND"]);

export function createMailDns(): MailDns {
  const resolver = new Resolver({ timeout: 3_000, tries: 2 });
  return {
    mx: (domain) => resolver.resolveMx(domain),
    async addresses(host) {
      const [four, six] = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
      const found = [four, six].flatMap((one) => (one.status === "fulfilled" ? one.value : []));
      const fault = [four, six].find((one) => one.status === "rejected" && !nothing.has(one.reason.code)) as
        | PromiseRejectedResult
        | undefined;
      if (found.length === 0 && fault !== undefined) throw fault.reason;
      return found;
    },
    async txt(name) {
      return (await resolver.resolveTxt(name)).map((parts) => parts.join(""));
    },
  };
}
