import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

export interface PlainHook {
  url: string;
  received: { headers: Record<string, string>; body: string }[];
  close(): void;
}

/** A developer's program on this machine, over plain HTTP: stores what it receives, and accepts it. */
export async function plainHook(): Promise<PlainHook> {
  const received: PlainHook["received"] = [];
  const server = createServer((request, response) => {
    let body = "";
    request.setEncoding("utf8").on("data", (part: string) => (body += part));
    request.on("end", () => {
      received.push({ headers: request.headers as Record<string, string>, body });
      response.end();
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`, received, close: () => void server.close() };
}
