import { killAll, type Program, type ProgramOptions, startProgram, temporaryFolder } from "./program.ts";

/** Programs that serve one data folder after the other, or the same one. */
export class Serving {
  readonly folder = temporaryFolder();
  readonly #started: Program[] = [];

  async serve(dataDir: string, options: Partial<ProgramOptions> = {}): Promise<Program> {
    const program = await startProgram({ ...options, dataDir });
    this.#started.push(program);
    return program;
  }

  /** The one that serves, of those started so far. */
  running(): Program {
    return this.#started.find((program) => !program.hasEnded) as Program;
  }

  /** How each ended that didn't serve, and "serves" for the others. */
  outcomes(programs: readonly Program[]): Promise<(number | string | null)[]> {
    return Promise.all(
      programs.map((program) =>
        program.ready().then(
          () => "serves",
          async () => (await program.ended).code,
        ),
      ),
    );
  }

  end(): void {
    killAll(this.#started);
    this.folder.remove();
  }
}

/** Creates an order of the demo. */
export async function makeOrder(program: Program): Promise<string> {
  const answer = await callDemo(program, "orders", { amount_minor: 8800, currency: "CNY" });
  if (answer.status !== 201) throw new Error(`an order was answered with ${answer.status}`);
  return ((await answer.json()) as { id: string }).id;
}

/** The status of the response when an order is requested. */
export async function findOrder(program: Program, id: string): Promise<number> {
  return (await callDemo(program, `orders/${id}`)).status;
}

/** Requests something of the demo's project with its key. */
export function callDemo(program: Program, path: string, body?: object): Promise<Response> {
  const { project_id, api_key } = program.demo();
  const headers = { authorization: `Bearer ${api_key}`, "content-type": "application/json" };
  return fetch(
    `${program.url}/api/v1/projects/${project_id}/${path}`,
    body === undefined ? { headers } : { method: "POST", headers, body: JSON.stringify(body) },
  );
}
