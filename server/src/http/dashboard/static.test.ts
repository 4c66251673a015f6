import { beforeAll, describe, expect, test } from "vitest";
import { testApp } from "#test/support/app/test-app.ts";
import { buildDashboard } from "#test/support/dashboard/dashboard.ts";

const app = await testApp({ http: { perMinuteUnauthenticated: 1_000 } });
const api = app.api(null);

beforeAll(buildDashboard, 120_000);

/** Addresses of the files that the page names. */
async function filesOf(path: string): Promise<string[]> {
  const { text } = await api.get(path);
  return [...text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address = ""]) => address);
}

describe("the dashboard's page", () => {
  test("is one page for every path, and `/` redirects to it", async () => {
    expect(await api.get("/")).toMatchObject({ status: 302, headers: { location: "/dashboard" } });
    for (const path of ["/dashboard", "/dashboard/sign-in", "/dashboard/shop/test/orders/ord_1"]) {
      expect(await api.get(path)).toMatchObject({
        status: 200,
        headers: { "content-type": "text/html; charset=utf-8", "cache-control": "no-store" },
      });
    }
  });

  test("allows only its own files as scripts, and no style element without the nonce of this response", async () => {
    const [one, two] = await Promise.all([api.get("/dashboard"), api.get("/dashboard")]);
    const policy = one.headers["content-security-policy"] ?? "";
    expect(policy).toContain("default-src 'none'; script-src 'self';");
    expect(policy).not.toContain("unsafe");
    const nonce = /'nonce-([^']+)'/.exec(policy)?.[1] ?? "";
    expect(one.text).toContain(`content="${nonce}"`);
    expect(two.headers["content-security-policy"]).not.toContain(nonce);
    expect(one.text).not.toMatch(/<script>|<script [^>]*>[^<]/);
    expect(one.headers).toMatchObject({ "x-frame-options": "DENY", "referrer-policy": "no-referrer" });
  });

  test("has the reader's language and colors before any script runs, and takes nothing else from the cookie", async () => {
    const read = (cookie: string) => api.get("/dashboard", { headers: { cookie } });
    expect((await read("tillpost_language=zh; tillpost_theme=dark")).text).toContain('<html lang="zh-CN" dir="ltr" data-theme="dark">');
    expect((await read("tillpost_language=xx; tillpost_theme=onload")).text).toContain('<html lang="en" dir="ltr">');
    expect((await read("")).text).toContain('name="visitor" content="nobody"');
    expect((await read("__Host-tillpost.session_token=any")).text).toContain('name="visitor" content="known"');
  });
});

describe("its files", () => {
  test("are cached indefinitely, and compressed as the browser requests", async () => {
    const script = (await filesOf("/dashboard")).find((address) => address.endsWith(".js")) ?? "";
    for (const [accepted, encoding] of [
      ["gzip, br", "br"],
      ["gzip", "gzip"],
      ["", undefined],
    ] as const) {
      const file = await api.get(script, { headers: { "accept-encoding": accepted } });
      expect(file).toMatchObject({
        status: 200,
        headers: { "cache-control": "public, max-age=31536000, immutable", "content-type": "text/javascript; charset=utf-8" },
      });
      expect(file.headers["content-encoding"]).toBe(encoding);
    }
  });

  test("are only the built ones", async () => {
    for (const name of ["nothing-12345678.js", "..%2Findex.html", "%2e%2e%2f%2e%2e%2fpackage.json", "sources.txt"]) {
      expect((await api.get(`/dashboard/assets/${name}`)).status, name).toBe(404);
    }
  });
});
