import { lookup, Resolver } from "node:dns/promises";

export interface Answer {
  address: string;
  family: 4 | 6;
}

/** All addresses of a name. Throws an error with a DNS code if there are none. */
export type Resolve = (name: string) => Promise<Answer[]>;

/**
 * Queries DNS without the system's four lookup threads, which one slow name server could block for all. `hosts` also reads the machine's
 * own hosts file, for installations with internal receivers. `servers` replace the machine's name servers.
 */
export function resolverOf(hosts: boolean, servers?: readonly string[]): Resolve {
  const resolver = new Resolver({ timeout: 1_500, tries: 2 });
  if (servers !== undefined) resolver.setServers(servers);
  return async (name) => {
    if (name === "localhost")
      return [
        { address: "127.0.0.1", family: 4 },
        { address: "::1", family: 6 },
      ];
    const [four, six] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
    const answers: Answer[] = [
      ...(four.status === "fulfilled" ? four.value.map((address) => ({ address, family: 4 as const })) : []),
      ...(six.status === "fulfilled" ? six.value.map((address) => ({ address, family: 6 as const })) : []),
    ];
    if (answers.length > 0) return answers;
    if (hosts) return (await lookup(name, { all: true })).map(({ address, family }) => ({ address, family: family === 6 ? 6 : 4 }));
    throw four.status === "rejected" ? four.reason : Object.assign(new Error(`no address for ${name}`), { code: "ENOTFOUND" });
  };
}
