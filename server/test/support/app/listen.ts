import type { AddressInfo } from "node:net";
import type { TestApp } from "./test-app.ts";

/** Listens where a browser accepts the session's cookie. Returns the origin. */
export async function listen(app: TestApp): Promise<string> {
  const server = await app.server();
  await server.listen({ port: 0, host: "localhost" });
  const { port } = server.server.address() as AddressInfo;
  return `http://localhost:${port}`;
}
