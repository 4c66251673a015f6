import { defineWords } from "../../../../language/languages.ts";

type Values = Readonly<{ provider_message?: unknown }>;

/** Why the credentials of an account with a payment provider are invalid. */
export const providerReasons = defineWords({
  en: {
    malformed: "This doesn't look like the provider's value. Copy it again in full.",
    wrong_environment: "This belongs to the other environment. Copy the value for this one.",
    not_a_pair: "These two values don't match. Copy both again.",
    credentials_refused: ({ provider_message }: Values) => `The provider refused these credentials: ${provider_message}`,
    other_account: "These credentials belong to a different account. Add it as a new account.",
  },
  zh: {
    malformed: "这与支付机构显示的内容不符。请重新完整复制。",
    wrong_environment: "这属于另一个环境。请复制当前环境对应的值。",
    not_a_pair: "这两项不匹配。请一起重新复制。",
    credentials_refused: ({ provider_message }: Values) => `支付机构不接受这些凭据。对方返回：${provider_message}`,
    other_account: "这些凭据属于另一个账户。请作为新账户添加。",
  },
});
