import type { Amount, Emails, Facts, Say } from "../kinds/facts.ts";
import { known } from "./known.ts";

type GuardEmails = Pick<Emails, "countries_added" | "spend_cap" | "prefix_paused">;

type Channel = Facts["prefix_paused"]["channel"];

const channels: Record<"en" | "zh", Record<Channel, string>> = { en: { sms: "SMS", call: "Calls" }, zh: { sms: "短信", call: "通话" } };
const causes: Record<"en" | "zh", (channel: Channel) => Record<Facts["prefix_paused"]["cause"], string>> = {
  en: (channel) => ({
    sequential_numbers: `${channels.en[channel]} went to a run of consecutive numbers.`,
    dominant_prefix: "Almost all traffic suddenly went to this range abroad.",
    no_conversions: "Almost none of the codes sent there were entered.",
  }),
  zh: (channel) => ({
    sequential_numbers: `大量${channels.zh[channel]}发往连续的号码。`,
    dominant_prefix: "几乎所有流量突然都发往这一境外号段。",
    no_conversions: "发往该号段的验证码几乎没有人填写。",
  }),
};

/** Millionths as an amount with at least two decimals. */
function amountOf(micros: number, currency: string): Amount {
  const amount = { amount_minor: micros, currency, exponent: 6 };
  while (amount.exponent > 2 && amount.amount_minor % 10 === 0) {
    amount.amount_minor /= 10;
    amount.exponent -= 1;
  }
  return amount;
}

function capText(
  { cap, measure, currency }: Facts["spend_cap"],
  say: Say,
  units: { locale: string; segments: string; minutes: string },
): string {
  if (measure !== "spend_micros") return `${cap.toLocaleString(units.locale)} ${units[measure]}`;
  if (currency === null || !/^[A-Z]{3}$/.test(currency)) return `${cap / 1_000_000} ${currency ?? ""}`.trim();
  return say.money(amountOf(cap, currency)).whole;
}

const en: GuardEmails = {
  countries_added: ({ url, project, countries, by, at }, { host, time, countryNames }) => ({
    subject: `${project} can now reach more countries`,
    preheader: "If you didn't expect this, undo it right away.",
    status: { tone: "waiting", word: "Please check" },
    title: `${project} can now reach more countries`,
    lead: [
      "LIVE messages and calls can now go to the countries below. If no one on your team changed this, undo it and replace your API keys: someone may be about to run up costs.",
    ],
    facts: [["Countries", countryNames(countries).join(", ")], ["Project", project], ...known("Changed by", by), ["Time", time(at)]],
    button: { label: "Open the project", url },
    after: [],
    reason: `You're receiving this email because you own ${project} at ${host}.`,
  }),
  spend_cap: (facts, say) => {
    const { url, project, measure, level, period } = facts;
    const isReached = level >= 100;
    const isDay = period.length === 10;
    const label = { spend_micros: "Spending cap", segments: "SMS cap", minutes: "Call cap" }[measure];
    const cap = `${isDay ? "today's" : "this month's"} ${measure === "segments" ? label : label.toLowerCase()}`;
    const title = isReached ? `${project} has reached ${cap}` : `${project} has used ${level}% of ${cap}`;
    const until = `until the ${isDay ? "day" : "month"} ends (UTC)`;
    return {
      subject: title,
      preheader: isReached ? "Further LIVE messages and calls are refused." : "Messages and calls still go out.",
      status: { tone: isReached ? "failed" : "waiting", word: isReached ? "Cap reached" : `${level}% used` },
      title,
      lead: [
        isReached
          ? `LIVE messages and calls that would exceed the cap are refused with quota_exceeded ${until}.`
          : `Once the cap is reached, further LIVE messages and calls are refused ${until}.`,
      ],
      facts: [
        ["Project", project],
        [label, capText(facts, say, { locale: "en", segments: "SMS parts", minutes: "call minutes" })],
        [isDay ? "Day (UTC)" : "Month (UTC)", say.period(period)],
      ],
      button: { label: "Open the project", url },
      after: ["If this is more than you expected, look for a leaked API key. If you need more, ask the operator for a higher cap."],
      reason: `You're receiving this email because you manage ${project} at ${say.host}.`,
    };
  },
  prefix_paused: ({ url, project, channel, prefix, cause, messages }, { host }) => ({
    subject: `${channels.en[channel]} to +${prefix} are paused for ${project}`,
    preheader: "The traffic looked like abuse.",
    status: { tone: "failed", word: "Paused" },
    title: `${channels.en[channel]} to +${prefix} are paused for ${project}`,
    lead: [
      causes.en(channel)[cause],
      `Fraudsters earn money from traffic like this at your expense, so LIVE ${channel === "sms" ? "SMS" : "calls"} to this range are now refused.`,
    ],
    facts: [
      ["Project", project],
      ["Range", `+${prefix}`],
      [`${channels.en[channel]} in the last hour`, messages.toLocaleString("en")],
    ],
    button: { label: "Open the project", url },
    after: [
      "If this was your own traffic, an owner or admin can release the range in the dashboard under Countries and spend. It won't be paused again for 30 days. If it wasn't, replace your API keys and protect the form that sends your codes.",
    ],
    reason: `You're receiving this email because you manage ${project} at ${host}.`,
  }),
};

const zh: GuardEmails = {
  countries_added: ({ url, project, countries, by, at }, { host, time, countryNames }) => ({
    subject: `${project} 的短信和通话现在可以发往更多国家/地区`,
    preheader: "如非您的团队所为，请立即移除。",
    status: { tone: "waiting", word: "请核实" },
    title: `${project} 的短信和通话现在可以发往更多国家/地区`,
    lead: [
      "从现在起，正式环境的短信和通话可以发往以下国家/地区。如非您的团队所为，请立即移除这些国家/地区，并更换 API 密钥，以免产生高额费用。",
    ],
    facts: [["国家/地区", countryNames(countries).join("、")], ["项目", project], ...known("修改人", by), ["时间", time(at)]],
    button: { label: "打开项目", url },
    after: [],
    reason: `您是 ${project} 在 ${host} 的所有者，因此收到本邮件。`,
  }),
  spend_cap: (facts, say) => {
    const { url, project, measure, level, period } = facts;
    const isReached = level >= 100;
    const isDay = period.length === 10;
    const counted = { spend_micros: "短信和通话费用", segments: "短信条数", minutes: "通话分钟数" }[measure];
    const cap = { spend_micros: "费用上限", segments: "短信上限", minutes: "通话上限" }[measure];
    const title = `${project} ${isDay ? "今日" : "本月"}${counted}已达上限${isReached ? "" : `的 ${level}%`}`;
    const until = `直到${isDay ? "当日" : "当月"}结束（UTC）`;
    return {
      subject: title,
      preheader: isReached ? "正式环境中超出上限的短信和通话会被拒绝。" : "目前短信和通话仍照常发送。",
      status: { tone: isReached ? "failed" : "waiting", word: isReached ? "已达上限" : `已用 ${level}%` },
      title,
      lead: [
        isReached
          ? `正式环境中超出上限的短信和通话会被拒绝（quota_exceeded），${until}。`
          : `达到上限后，正式环境的短信和通话会被拒绝，${until}。`,
      ],
      facts: [
        ["项目", project],
        [cap, capText(facts, say, { locale: "zh", segments: "条", minutes: "分钟" })],
        [isDay ? "日期（UTC）" : "月份（UTC）", say.period(period)],
      ],
      button: { label: "打开项目", url },
      after: ["如果超出预期，请检查 API 密钥是否泄露。如需更高上限，请联系平台运营方。"],
      reason: `您在 ${say.host} 管理 ${project}，因此收到本邮件。`,
    };
  },
  prefix_paused: ({ url, project, channel, prefix, cause, messages }, { host }) => ({
    subject: `${project} 发往 +${prefix} 的${channels.zh[channel]}已暂停`,
    preheader: "该号段的流量疑似滥用。",
    status: { tone: "failed", word: "已暂停" },
    title: `${project} 发往 +${prefix} 的${channels.zh[channel]}已暂停`,
    lead: [
      causes.zh(channel)[cause],
      `这类流量通常是有人借此牟利，费用却由您承担。从现在起，正式环境中发往该号段的${channels.zh[channel]}会被拒绝。`,
    ],
    facts: [
      ["项目", project],
      ["号段", `+${prefix}`],
      [`最近一小时的${channels.zh[channel]}数`, messages.toLocaleString("zh")],
    ],
    button: { label: "打开项目", url },
    after: [
      "如属正常业务，所有者或管理员可以在控制台“地区与费用”页面恢复该号段，此后 30 天内不会再次暂停。否则请更换 API 密钥，并为发送验证码的表单加上防护。",
    ],
    reason: `您在 ${host} 管理 ${project}，因此收到本邮件。`,
  }),
};

/** Texts for a merchant when guards of LIVE messages and calls take effect. */
export const guardEmails = { en, zh };
