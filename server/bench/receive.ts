import { createServer } from "node:https";
import { certificate } from "../test/support/network/certificate.ts";

/** A program: a merchant's server that reads what arrives and accepts it. Reports its port and certificate to its parent. */
const identity = await certificate();
const server = createServer({ ...identity, keepAliveTimeout: 60_000 }, (request, response) => {
  request.resume().on("end", () => response.end());
});
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  process.send?.({ port: typeof address === "object" && address !== null ? address.port : 0, ca: identity.cert });
});
process.once("disconnect", () => process.exit(0));
