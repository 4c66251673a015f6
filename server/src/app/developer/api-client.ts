import type { Given } from "../command.ts";
import type { Settings } from "../config.ts";
import { readDemo } from "../demo/demo-file.ts";
import { howToRun } from "../installed/how-to-run.ts";

/** Calls the API as an integrator would, with one TEST key. */
export interface ApiClient {
  key: string;
  /** Path of the key's project, without a trailing slash. */
  project: string;
  address(path: string): string;
  /** Throws the API's own message if it refuses. */
  call<T>(method: string, path: string, body?: unknown): Promise<T>;
}

/** Takes key and address from the options, otherwise from the demo in the data folder. Throws a readable error. */
export async function openApi(settings: Settings, given: Given): Promise<ApiClient> {
  const demo = readDemo(settings);
  const key = given.values["api-key"] ?? demo?.api_key;
  const base = String(given.values["base-url"] ?? demo?.base_url ?? settings.PUBLIC_URL).replace(/(?<!\/)\/+$/, "");
  if (typeof key !== "string")
    throw new Error(
      `Which key? Add --api-key <TEST key>. \`${howToRun("keys create --permissions all")}\` creates one; listen only needs webhooks:read.`,
    );
  if (!key.startsWith("svc_test_")) throw new Error("This needs a key of the TEST environment: svc_test_…");
  const address = (path: string) => `${base}${path}`;
  const call = async <T>(method: string, path: string, body?: unknown): Promise<T> => {
    const answer = await fetchReachable(address(path), {
      method,
      headers: { authorization: `Bearer ${key}`, ...(body === undefined ? {} : { "content-type": "application/json" }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const parsed = (await answer.json()) as { error?: { message: string; code: string } };
    if (!answer.ok) throw new Error(`${parsed.error?.message ?? "The API refused."} (${answer.status} ${parsed.error?.code ?? ""})`);
    return parsed as T;
  };
  const { data } = await call<{ data: { id: string }[] }>("GET", "/api/v1/projects");
  return { key, project: `/api/v1/projects/${data[0]?.id ?? ""}`, address, call };
}

async function fetchReachable(address: string, request: RequestInit): Promise<Response> {
  try {
    return await fetch(address, request);
  } catch (error) {
    throw new Error(
      `Nothing responds at ${new URL(address).origin}. Is Tillpost running there? To use another address, pass --base-url <address>.`,
      {
        cause: error,
      },
    );
  }
}
