import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { memoryDocuments, type OwnWorld, openWorld, type ProviderSimulator, type SimulatorWorld } from "#gateways/index.ts";
import { createSender } from "./send-callbacks.ts";

const bodyBytesMax = 1_048_576;

/** Where the address for an account's callbacks is posted, as a merchant enters it on the provider's pages: `account`, `url`. */
export const callbackPath = "/simulator/callback-url";

export interface ServedSimulator {
  /** The address that it serves, without a trailing slash. */
  readonly origin: string;
  readonly world: OwnWorld;
  close(): Promise<void>;
}

/** Serves a provider's simulator over HTTP on this machine, with callbacks that are really sent. It forgets everything when it's closed. */
export async function serveSimulator(
  simulator: ProviderSimulator,
  given: { port: number; now: () => Date; log: (line: string) => void },
): Promise<ServedSimulator> {
  const server = createServer((incoming, outgoing) => void answer({ simulator, world, origin }, incoming, outgoing));
  server.listen(given.port, "127.0.0.1");
  await once(server, "listening");
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const sender = createSender(given.log);
  const send = async (callback: Parameters<typeof sender.send>[0]) => sender.send(callback);
  const world = openWorld({ origin, now: given.now, documents: memoryDocuments(), send });
  return {
    origin,
    world,
    async close() {
      sender.close();
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}

interface Served {
  simulator: ProviderSimulator;
  world: OwnWorld;
  origin: string;
}

async function answer({ simulator, world, origin }: Served, incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  try {
    const request = await readRequest(incoming, origin);
    // Browsers request one if a page specifies none; a provider's API would refuse it as a stranger's request.
    if (request.url === `${origin}/favicon.ico`) return void outgoing.writeHead(404).end();
    const response = await world.enter((inner) => {
      // Requests wait in turn. One whose caller gave up waiting would only keep the next ones waiting, until they give up, too.
      if (outgoing.destroyed) throw new Error("the caller has left");
      return request.url === `${origin}${callbackPath}` ? enterCallback(simulator, inner, request) : simulator.handle(inner, request);
    });
    outgoing.writeHead(response.status, Object.fromEntries(response.headers));
    outgoing.end(Buffer.from(await response.arrayBuffer()));
  } catch {
    // As a provider's own connection ends without a response.
    outgoing.destroy();
  }
}

async function enterCallback(simulator: ProviderSimulator, world: SimulatorWorld, request: Request): Promise<Response> {
  const form = new URLSearchParams(await request.text());
  const [account, url] = [form.get("account") ?? "shop", form.get("url") ?? ""];
  if (request.method !== "POST" || !URL.canParse(url) || simulator.enterCallbackUrl === undefined)
    return new Response("POST url=<address>, and account=<name> for an account other than shop.\n", { status: 400 });
  await simulator.enterCallbackUrl(world, { account, url });
  return new Response("Callbacks now go there.\n");
}

async function readRequest(incoming: IncomingMessage, origin: string): Promise<Request> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > bodyBytesMax) throw new Error("the request is too large");
    chunks.push(chunk);
  }
  const method = incoming.method ?? "GET";
  const headers = Object.entries(incoming.headersDistinct).flatMap(([name, values = []]) =>
    values.map((value): [string, string] => [name, value]),
  );
  const body = method === "GET" || method === "HEAD" ? null : Buffer.concat(chunks);
  return new Request(`${origin}${incoming.url ?? "/"}`, { method, headers: headers.filter(([name]) => name !== "connection"), body });
}
