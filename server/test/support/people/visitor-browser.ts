import type { Answer } from "#test/support/app/api.ts";
import type { TestApp } from "#test/support/app/test-app.ts";

/** A browser that stores its cookies, without a network. */
export interface Visitor {
  readonly cookies: Map<string, string>;
  page(path: string): Promise<Answer>;
  /** Chooses the gateway on a payment page; `query` are the page's choices. */
  choose(token: string, query?: string): Promise<Answer>;
  /** The address to which the redirect page continues automatically; empty if it doesn't. */
  leads(token: string): Promise<string>;
  /** Goes to the provider and returns: the path that the provider sends the browser to. */
  authorize(address: string): Promise<string>;
}

const entities: Readonly<Record<string, string>> = { "&#38;": "&", "&#61;": "=", "&#34;": '"', "&amp;": "&", "&quot;": '"' };

/** The text of an attribute. */
export const unescaped = (text: string) => text.replace(/&(?:#\d+|amp|quot);/g, (entity) => entities[entity] ?? entity);

/** Browsers that pay by one gateway. */
export function visitorsOf(app: TestApp, gateway: string): (agent: string, from?: string) => Visitor {
  return (agent, from = "203.0.113.9") => {
    const cookies = new Map<string, string>();
    const send = async (method: string, path: string, more: { payload?: string } = {}): Promise<Answer> => {
      const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
      const form = more.payload === undefined ? {} : { "content-type": "application/x-www-form-urlencoded" };
      const headers = { accept: "text/html", "user-agent": agent, ...form, ...(cookie === "" ? {} : { cookie }) };
      const answer = await app.api().call(method, path, { headers, from, ...more });
      const [, name, value] = /^([^=]+)=([^;]*)/.exec([answer.headers["set-cookie"] ?? ""].flat().join("")) ?? [];
      if (name !== undefined && value !== undefined) cookies.set(name, value);
      return answer;
    };
    return {
      cookies,
      page: (path) => send("GET", path),
      choose: (token, query = "") => send("POST", `/api/public/pay/${token}/initiate${query}`, { payload: `gateway=${gateway}` }),
      async leads(token) {
        const { text } = await send("GET", `/pay/${token}/go`);
        return unescaped(/http-equiv="refresh" content="0; url=([^"]+)"/.exec(text)?.[1] ?? "");
      },
      async authorize(address) {
        const answer = await fetch(address, { redirect: "manual", headers: { "user-agent": agent } });
        const back = new URL(answer.headers.get("location") ?? "http://none.invalid/");
        return `${back.pathname}${back.search}`;
      },
    };
  };
}

/** Chooses the gateway, goes to the provider and returns. */
export async function comeBack(visitor: Visitor, token: string): Promise<{ path: string; answer: Answer }> {
  await visitor.choose(token);
  const path = await visitor.authorize(await visitor.leads(token));
  return { path, answer: await visitor.page(path) };
}
