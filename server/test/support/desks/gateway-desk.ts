import { type CredentialField, createCredential } from "#gateways/index.ts";
import type { TestGateways } from "#test/support/app/context.ts";
import { openDashboard } from "#test/support/dashboard/dashboard.ts";
import type { DashboardApp } from "#test/support/dashboard/dashboard-app.ts";
import { scriptedGateway, scriptedProvider } from "#test/support/gateways/scripted/scripted-gateway.ts";
import { visitor } from "#test/support/people/visitors.ts";

/** The name of the field that is filled with what the provider shows once it has the callback URL. */
export const certificateNames = { en: "Certificate", zh: "证书" };

/** The name of the field that has two possible values. */
export const modeNames = { en: "Mode", zh: "方式" };

const mode: CredentialField = {
  ...{
    name: "mode",
    secret: false,
    required: false,
    multiline: false,
    names: modeNames,
    hints: { en: "How buyers pay.", zh: "买家如何付款。" },
  },
  choices: [
    { value: "code", names: { en: "By code", zh: "扫码" } },
    { value: "page", names: { en: "On a page", zh: "跳转" } },
  ],
};

/** A provider whose callback URL is entered on its own pages, and how an app reaches it. Call it at the top of the file. */
export async function enteredProvider() {
  const provider = await scriptedProvider();
  const { manifest, ...adapter } = scriptedGateway();
  const fields = manifest.fields.map((field) => (field.name === "certificate" ? { ...field, names: certificateNames } : field));
  const hints = { en: "Test Pay, Settings: enter the address and copy the certificate.", zh: "Test Pay 设置：填写地址并复制证书。" };
  const entered = { ...manifest, fields: [...fields, mode], callbackPerPayment: false, callbackEntry: { field: "certificate", hints } };
  const noHint = { account: null, keyId: null, reference: null, providerId: null };
  const gateways: TestGateways = {
    adapters: [{ ...adapter, manifest: entered, hint: () => noHint }],
    urls: [`testpay=${provider.url}`],
  };
  return { provider, gateways };
}

/** People who set up a project's gateways. */
export function gatewayDesk({ app, browser, look, origin }: DashboardApp) {
  async function open(role: "owner" | "developer" | "viewer" | "reviewer" = "developer") {
    const tenant = await app.tenant();
    const person = await visitor(app, { merchant_id: tenant.merchant_id, role });
    const opened = await openDashboard(browser, { origin, look, email: person.email });
    const { page } = opened;
    const go = async (path: string) => {
      await page.goto(`${origin}/dashboard/${tenant.project_id}/test${path}`);
      await page.locator("main h1").first().waitFor();
      await page.locator(".skeletons").first().waitFor({ state: "detached" });
    };
    const account = async (secret: string, label: string) =>
      (await createCredential(app.ctx, tenant, { gateway: "testpay", label, fields: { key: "tp_test_1", secret } })).id;
    const api = (await visitor(app, { merchant_id: tenant.merchant_id })).in("test");
    const at = `/api/v1/projects/${tenant.project_id}/gateways/testpay/credentials`;
    const list = async () =>
      (await api.get(at)).body.data as unknown as {
        id: string;
        label: string;
        position: number;
        enabled: boolean;
        demo: boolean;
        fields: Record<string, { value: string | null }>;
      }[];
    return { ...opened, tenant, go, account, api, at, list };
  }

  return {
    open,
    shot: (name: string) => `gateways-${name}-${look.language}-${look.theme}-${look.onPhone ? "phone" : "wide"}`,
    /** The browser's own complaints about refused requests, which the page explains in words. */
    refused: (text: string) => / status of 40[0-9] /.test(text),
  };
}
