import { firstLanguage } from "../../../../language/languages.ts";
import { defineWords, type Language } from "../../words/language.tsx";

/** What the server reports about a transport. Its own text is the English one, sometimes followed by what the carrier sent. */
export const reportWords = defineWords({
  en: {
    sender: "The carrier doesn't accept this sender.",
    recipient: "The carrier reports that this number can't receive messages.",
    throttled: "The carrier accepts no more messages right now.",
    temporary: "The carrier reported a temporary error.",
    unbound: "The carrier no longer knows this connection.",
    unreadable: "The carrier can't read the message as sent.",
    rejected: "The carrier rejected the message.",
    lost: "The carrier's response was lost.",
    held: "The carrier accepted no requests.",
    account: "The carrier doesn't accept this server's account.",
    afterSending: "The connection was lost after the message was sent.",
  },
  zh: {
    sender: "运营商不接受此发送方。",
    recipient: "运营商表示该号码无法接收短信。",
    throttled: "运营商暂时不再接收消息。",
    temporary: "运营商返回临时错误。",
    unbound: "运营商已不识别此连接。",
    unreadable: "运营商无法解析所发消息。",
    rejected: "运营商拒绝了该消息。",
    lost: "没有收到运营商的响应。",
    held: "运营商没有受理任何请求。",
    account: "运营商不接受本服务器的账户。",
    afterSending: "邮件发出后连接中断。",
  },
});

/** What the operating system reports when a connection can't be opened or ends. */
const systemWords = defineWords({
  en: {
    ECONNREFUSED: "The connection was refused. Check the address and port, and whether the other side is running.",
    ECONNRESET: "The other side closed the connection.",
    EPIPE: "The other side closed the connection.",
    ETIMEDOUT: "No response in time. Check the address and the firewall.",
    EHOSTUNREACH: "The host can't be reached. Check the address and the network.",
    ENETUNREACH: "The network can't be reached. Check this server's connection.",
    ENOTFOUND: "The host name can't be resolved. Check its spelling and DNS.",
    EAI_AGAIN: "The host name can't be resolved right now. Check this server's DNS.",
  } as Record<string, string>,
  zh: {
    ECONNREFUSED: "连接被拒绝。请检查地址和端口，以及对方是否在运行。",
    ECONNRESET: "对方断开了连接。",
    EPIPE: "对方断开了连接。",
    ETIMEDOUT: "连接超时。请检查地址和防火墙。",
    EHOSTUNREACH: "无法连接主机。请检查地址和网络。",
    ENETUNREACH: "网络不可用。请检查本服务器的网络连接。",
    ENOTFOUND: "无法解析主机名。请检查拼写和 DNS。",
    EAI_AGAIN: "暂时无法解析主机名。请检查本服务器的 DNS。",
  },
});

type Sentence = keyof (typeof reportWords)[Language];

interface SaidError {
  /** In the reader's language; null if only the other side's words are known. */
  text: string | null;
  /** What the other side or the system reported, as it is. */
  detail: string | null;
}

/** A transport's last error: what it means for people, and what was reported. */
export function sayError(report: string, language: Language): SaidError {
  const [code = ""] = report.split(": ");
  const system = systemWords[language][code];
  if (system !== undefined) return { text: system, detail: report };
  const sentences = Object.entries(reportWords[firstLanguage]) as [Sentence, string][];
  const known = sentences.find(([, sentence]) => report.startsWith(sentence.slice(0, -1)));
  if (known === undefined) return { text: null, detail: report };
  const [name, sentence] = known;
  const rest = report.slice(sentence.length - 1).replace(/^[.:\s(]+|[.\s)]+$/g, "");
  return { text: reportWords[language][name], detail: rest === "" ? null : rest };
}
