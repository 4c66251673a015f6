import { describe, expect, it } from "vitest";
import { testApp } from "#test/support/app/test-app.ts";
import { openNotices } from "#test/support/people/visitor-notices.ts";
import { pageHeaders, testPassword, visitor, withHeaders } from "#test/support/people/visitors.ts";
import { deviceName } from "./device-name.ts";

const chromeOn = (system: string) => `Mozilla/5.0 (${system}) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36`;

describe("a device's name", () => {
  it.each([
    [chromeOn("Windows NT 10.0; Win64; x64"), "Chrome on Windows"],
    [`${chromeOn("Windows NT 10.0; Win64; x64")} Edg/131.0.0.0`, "Edge on Windows"],
    ["Mozilla/5.0 (Macintosh; Intel Mac OS X 14.6; rv:132.0) Gecko/20100101 Firefox/132.0", "Firefox on macOS"],
    [
      "Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1",
      "Safari on iPhone",
    ],
    [
      "Mozilla/5.0 (Linux; Android 14; V2309A) AppleWebKit/537.36 Chrome/116.0.0.0 Mobile Safari/537.36 XWEB/1160065 MicroMessenger/8.0.49",
      "WeChat on Android",
    ],
    ["Mozilla/5.0 (X11; Linux x86_64) <script>alert(1)</script>", "Linux"],
    ["curl/8.5.0", "unknown"],
    ["", "unknown"],
  ])("of %j is %s", (userAgent, name) => expect(deviceName(userAgent)).toBe(name));

  it("of a browser that says nothing also exists", () => expect(deviceName(undefined)).toBe("unknown"));
});

describe("a sign-in", () => {
  it("with a new kind of device is reported once; the first one isn't, nor is a refused one", async () => {
    const at = await testApp();
    const li = await visitor(at);
    const signIn = (system: string, password = testPassword) =>
      withHeaders(at, pageHeaders(undefined, { "user-agent": chromeOn(system) })).post(
        "/api/auth/sign-in/email",
        { email: li.email, password },
        { from: "203.0.113.7" },
      );
    const notices = () => openNotices(at, "sign_in_alert", li.id);
    expect(await notices()).toEqual([]);
    expect((await signIn("Windows NT 10.0", "wrong")).status).toBe(401);
    expect(await notices()).toEqual([]);
    expect((await signIn("Windows NT 10.0")).status).toBe(200);
    expect((await signIn("Windows NT 10.0")).status).toBe(200);
    expect(await notices()).toEqual([{ at: at.clock.now().toISOString(), device: "Chrome on Windows", address: "203.0.113.7" }]);
    expect((await signIn("Linux; Android 14")).status).toBe(200);
    expect(await notices()).toHaveLength(2);
  });
});
