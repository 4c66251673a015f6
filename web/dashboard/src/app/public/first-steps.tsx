import { Button, Select, TextInput } from "@mantine/core";
import { useState } from "react";
import { plainClient } from "../../data/client.ts";
import { currencies } from "../../data/currencies.ts";
import { leadsAt, type Me } from "../../data/session.ts";
import { useMerchant } from "../../parts/fields/choose-merchant.tsx";
import { defineWords, useWords } from "../../words/language.tsx";
import { PublicPage, useEnter, useForm } from "./public-page.tsx";

const words = defineWords({
  en: {
    title: "Your first project",
    text: "A project is one shop or site. Orders, codes, keys and webhooks belong to it. You can add more later.",
    name: "Name",
    nameHint: "Only you and your team see it, e.g. Web shop",
    currency: "Currency",
    currencyHint: "WeChat Pay and Alipay codes only accept CNY",
    create: "Create project",
    wait: "You aren't part of a business yet. Open the invitation in your email.",
    notYet: "Your business doesn't have a project yet. An owner or admin can create the first one.",
  },
  zh: {
    title: "创建第一个项目",
    text: "一个项目就是一家店铺或一个网站。订单、收款码、密钥和 Webhook 都属于项目。以后可以再添加。",
    name: "名称",
    nameHint: "仅您和团队可见，例如：网店",
    currency: "币种",
    currencyHint: "微信和支付宝收款码仅支持人民币（CNY）",
    create: "创建项目",
    wait: "您还不属于任何商户，请打开邮件中的邀请链接。",
    notYet: "您的商户还没有项目，第一个项目由所有者或管理员创建。",
  },
});

/** The view of a person without a project. */
export default function FirstSteps({ me }: { me: Me }) {
  const say = useWords(words);
  const enter = useEnter();
  const [name, setName] = useState("");
  const [currency, setCurrency] = useState("CNY");
  const merchant = useMerchant(me);
  const { busy, fault, submit } = useForm(async () => {
    await plainClient.plain("POST /api/v1/projects", { body: { name, default_currency: currency }, headers: merchant.headers });
    await enter();
  });
  if (leadsAt(me).length === 0)
    return (
      <PublicPage title="Tillpost" text={me.memberships.length === 0 ? say.wait : say.notYet}>
        {null}
      </PublicPage>
    );
  return (
    <PublicPage title={say.title} text={say.text}>
      <form onSubmit={submit} className="form">
        {merchant.field}
        <TextInput
          label={say.name}
          description={say.nameHint}
          required
          withAsterisk={false}
          maxLength={80}
          size="md"
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          autoFocus
        />
        <Select
          label={say.currency}
          description={say.currencyHint}
          data={currencies}
          value={currency}
          onChange={(value) => setCurrency(value ?? "CNY")}
          allowDeselect={false}
          size="md"
        />
        {fault}
        <Button type="submit" size="md" loading={busy} fullWidth>
          {say.create}
        </Button>
      </form>
    </PublicPage>
  );
}
