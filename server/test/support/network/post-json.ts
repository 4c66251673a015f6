import { type Agent, request } from "node:http";

export interface Posted {
  status: number;
  retryAfter: string | undefined;
  text: string;
}

/** Posts once. `node:http` rather than `fetch`: a connection that is cut must fail immediately, never be retried behind our back. */
export function postJson(given: {
  agent: Agent;
  port: number;
  path: string;
  headers: Record<string, string>;
  body: object;
}): Promise<Posted> {
  const { agent, port, path, body } = given;
  const headers = { "content-type": "application/json", ...given.headers };
  return new Promise((resolve, reject) => {
    const call = request({ agent, host: "localhost", port, path, method: "POST", headers, timeout: 240_000 }, (answer) => {
      let text = "";
      answer.setEncoding("utf8");
      answer.on("data", (part: string) => (text += part));
      const result = () => ({ status: answer.statusCode ?? 0, retryAfter: answer.headers["retry-after"], text });
      answer.once("end", () => (answer.complete ? resolve(result()) : reject(new Error("cut off"))));
      answer.once("error", reject);
    });
    call.once("error", reject).once("timeout", () => call.destroy(new Error("no answer in four minutes")));
    call.end(JSON.stringify(body));
  });
}
