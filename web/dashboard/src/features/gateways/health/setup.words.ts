import { closeUp } from "../../../words/close-up.ts";
import { defineWords } from "../../../words/language.tsx";

/** The facts in the sentences about a set-up. */
export interface SetupFacts {
  /** The gateway's usual name. */
  name: string;
  /** The provider's message, without its final full stop. */
  message: string;
  /** Why a callback was refused, in words. */
  refusal: string;
  field: string;
  host: string;
  currency: string;
  /** A duration, such as "6 minutes". */
  span: string;
  failures: number;
  /** True if callbacks were verified before this one. */
  verifiedBefore: boolean;
}

type Sentence = (facts: SetupFacts) => string;

export const setupWords = defineWords({
  en: {
    title: "Setup",
    run: "Run setup test",
    ran: "Setup tested",
    tryIt: "Create a test order",
    tryText: (sum: string) => `Setup test, ${sum}`,
    outcomes: {
      ok: "Everything works.",
      unknown: "No problems so far. A first payment will confirm the rest.",
      attention: "Payments work, but something could be improved.",
      problem: "Something needs to be fixed.",
    },
    marks: { ok: "Working", unknown: "Not tested yet", attention: "Needs attention", problem: "Not working" },
    names: {
      credentials: "Credentials",
      payments: "New payments",
      address: "Callback address",
      callbacks: "Callbacks",
      clock: "Server clock",
      currency: "Currency",
    },
    reasons: {
      credentials: {
        accepted: ({ name }) => `${name} accepted them.`,
        refused: ({ name, message }) => `${name} refused them: ${message}. Change the credentials.`,
        other_account: () => "They belong to a different account. Add it as a new account.",
        unreachable: ({ name, message }) => `Couldn't check them with ${name}: ${message}. Tillpost checks them again automatically.`,
        not_checkable: ({ name }) => `${name} can't test them without a payment. The first payment shows whether they're correct.`,
        not_checked: () => "They haven't been tested yet. Run the setup test.",
      },
      payments: {
        taking: () => "Buyers can pay through this account.",
        refused: () => "No new payments go to this account until its credentials are accepted.",
        paused: () => "This account is paused, so no new payments go to it.",
        not_answering: ({ name }) => `${name} hasn't responded recently, so buyers aren't sent there until the time shown.`,
        failing: ({ failures }) =>
          `${failures === 1 ? "The last request" : `The last ${failures} requests`} failed. Buyers can still pay through this account. Details are in the log below.`,
      },
      address: {
        reached: () => "Callbacks arrive at this server.",
        public: ({ host }) => `${host} looks reachable from the internet.`,
        private_address: ({ name, host }) =>
          `${host} can't be reached from the internet, so ${name} can't send callbacks. Payments are still confirmed, because Tillpost checks when the buyer returns and at intervals. To receive callbacks, the operator of this server has to set PUBLIC_URL to a public https address.`,
        no_https: ({ host }) =>
          `${host} doesn't use https. Most providers only send callbacks to https addresses. The operator of this server has to set PUBLIC_URL to one.`,
      },
      callbacks: {
        received: () => "The last callback was verified.",
        refused: ({ refusal, verifiedBefore }) =>
          `The last callback was refused: ${refusal}${verifiedBefore ? " Earlier ones were verified, so it may have come from someone else." : ""}`,
        unread: ({ name, message }) =>
          `A callback couldn't be verified because ${name} didn't respond: ${message}. ${name} will send it again.`,
        field_missing: ({ field }) => `Callbacks are refused until you fill in “${field}”. The steps are below.`,
        none_yet: () => "No callbacks yet. Make a payment to receive one.",
      },
      clock: {
        in_step: ({ name }) => `This server's clock agrees with ${name}'s.`,
        ahead: ({ name, span }) =>
          `This server's clock is ${span} ahead of ${name}'s. Signatures are refused when clocks differ too much. The operator of this server has to turn on time synchronization.`,
        behind: ({ name, span }) =>
          `This server's clock is ${span} behind ${name}'s. Signatures are refused when clocks differ too much. The operator of this server has to turn on time synchronization.`,
        not_measured: ({ name }) => `Will be compared with ${name}'s clock the next time ${name} responds.`,
      },
      currency: {
        taken: ({ currency }) => `The account accepts ${currency}, this project's currency.`,
        not_taken: ({ currency, name }) =>
          `The account doesn't accept ${currency}, this project's currency. Orders in ${currency} don't offer ${name}.`,
      },
    } satisfies Record<string, Record<string, Sentence>>,
    refusals: {
      signature: "it isn't signed with this account's secret. Compare the secret with the provider's.",
      stale: "it was signed too long ago. Check this server's clock.",
      unknown_key: "its key or account doesn't match this account, or the callback secret is missing.",
      malformed: "it isn't a callback from this provider.",
      unsupported: "its signature type isn't supported, or it belongs to the other environment.",
      nobody: "it doesn't belong to any account.",
    },
  },
  zh: {
    title: "设置检查",
    run: "检查设置",
    ran: "检查完成",
    tryIt: "创建测试订单",
    tryText: (sum) => `设置测试 ${sum}`,
    outcomes: {
      ok: "一切正常。",
      unknown: "目前没有问题，其余项目在首笔付款后可知。",
      attention: "可以收款，但有可改进之处。",
      problem: "有问题需要处理。",
    },
    marks: { ok: "正常", unknown: "尚无记录", attention: "需留意", problem: "有问题" },
    names: {
      credentials: "凭据",
      payments: "新付款",
      address: "回调地址",
      callbacks: "回调",
      clock: "服务器时间",
      currency: "币种",
    },
    reasons: {
      credentials: {
        accepted: ({ name }) => closeUp(`${name} 接受这些凭据。`),
        refused: ({ name, message }) => closeUp(`${name} 不接受这些凭据，返回：${message}。请更换凭据。`),
        other_account: () => "这些凭据属于另一个账户，请将其作为新账户添加。",
        unreachable: ({ name, message }) => closeUp(`无法连接 ${name}：${message}。系统会自动重新验证。`),
        not_checkable: ({ name }) => closeUp(`${name} 没有不产生付款的验证方式，首笔付款即可确认凭据是否正确。`),
        not_checked: () => "尚未验证，请点击“检查设置”。",
      },
      payments: {
        taking: () => "买家可以通过此账户付款。",
        refused: () => "凭据通过验证之前，此账户不受理新付款。",
        paused: () => "此账户已暂停，不受理新付款。",
        not_answering: ({ name }) => closeUp(`${name} 近期没有响应，在所示时间之前不会引导买家前往。`),
        failing: ({ failures }) => `最近 ${failures} 次请求失败，买家仍可通过此账户付款，详情见下方记录。`,
      },
      address: {
        reached: () => "回调可以到达本服务器。",
        public: ({ host }) => `从名称看，${host} 可从互联网访问。`,
        private_address: ({ name, host }) =>
          closeUp(
            `${host} 无法从互联网访问，因此 ${name} 不能发送回调。付款仍会得到确认：买家返回时系统会主动查询，之后也会定期查询。如需接收回调，请平台运营方将 PUBLIC_URL 设为公网 https 地址。`,
          ),
        no_https: ({ host }) => `${host} 未使用 https，多数支付机构只向 https 地址发送回调。请平台运营方将 PUBLIC_URL 设为 https 地址。`,
      },
      callbacks: {
        received: () => "最近一次回调验证通过。",
        refused: ({ refusal, verifiedBefore }) =>
          `最近一次回调被拒：${refusal}${verifiedBefore ? "此前的回调已通过验证，这一次可能来自他人。" : ""}`,
        unread: ({ name, message }) => closeUp(`收到一次回调，但 ${name} 没有响应，无法验证：${message}。${name} 会再次发送。`),
        field_missing: ({ field }) => closeUp(`保存 ${field} 之前，回调都会被拒。步骤见下方。`),
        none_yet: () => "尚未收到，完成一笔付款即可看到。",
      },
      clock: {
        in_step: ({ name }) => closeUp(`服务器时间与 ${name} 一致。`),
        ahead: ({ name, span }) => closeUp(`服务器时间比 ${name} 快 ${span}。时间相差过大时，签名会被拒绝，请平台运营方开启时间同步。`),
        behind: ({ name, span }) => closeUp(`服务器时间比 ${name} 慢 ${span}。时间相差过大时，签名会被拒绝，请平台运营方开启时间同步。`),
        not_measured: ({ name }) => closeUp(`下次收到 ${name} 的响应时，系统会检查服务器时间是否准确。`),
      },
      currency: {
        taken: ({ currency }) => `此账户接受本项目的币种 ${currency}。`,
        not_taken: ({ currency, name }) => closeUp(`此账户不接受本项目的币种 ${currency}，${currency} 订单不会显示 ${name}。`),
      },
    },
    refusals: {
      signature: "签名与此账户的密钥不符，请与支付机构处的密钥核对。",
      stale: "签名时间过早，请检查服务器时间。",
      unknown_key: "所用密钥或账户与此账户不符，或尚未填写回调密钥。",
      malformed: "不是该支付机构的回调。",
      unsupported: "签名方式无法识别，或属于另一个环境。",
      nobody: "不属于任何账户。",
    },
  },
});
