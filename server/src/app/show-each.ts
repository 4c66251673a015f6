import { Gauge, type Registry } from "prom-client";

/** A list whose entries have names. */
interface Listed<One> {
  registry: Registry;
  /** The label with an entry's name. */
  label: string;
  list(): readonly One[];
}

/** Creates gauges that are computed for each scrape. */
export function showEach<One extends { name: string }>({ registry, label, list }: Listed<One>) {
  return (name: string, help: string, figureOf: (one: One) => number): void => {
    new Gauge({
      name,
      help,
      labelNames: [label],
      registers: [registry],
      collect() {
        for (const one of list()) this.labels(one.name).set(figureOf(one));
      },
    });
  };
}
