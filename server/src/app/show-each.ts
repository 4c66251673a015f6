import { Gauge, type Registry } from "prom-client";

/** What there are some of, each with a name. */
interface Listed<One> {
  registry: Registry;
  /** What one of them is called among the labels. */
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
