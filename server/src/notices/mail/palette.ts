import { readFileSync } from "node:fs";
import { readTokens } from "#checkout/index.ts";

const source = new URL("../../../../web/tokens.css", import.meta.url);
let read: Map<string, { light: string; dark: string }> | undefined;

/** One of our colors in hex: mail clients don't support newer notations. */
export function colour(name: string, theme: "light" | "dark"): string {
  read ??= new Map(readTokens(readFileSync(source, "utf8")).map((token) => [token.name.slice(2), token]));
  const token = read.get(name);
  if (token === undefined) throw new Error(`no colour is called ${name}`);
  return token[theme];
}
