import { IconMailOff } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { plainClient } from "../../data/client.ts";
import { defineWords, useWords } from "../../words/language.tsx";

const noMailWords = defineWords({
  en: {
    title: "This server doesn't send email yet",
    signUp: "Your confirmation link stays on the server. Ask the operator to open it for you.",
    reset: "The link to reset your password stays on the server. Ask the operator for it.",
    confirm: "The new link stays on the server. Ask the operator to open it for you.",
    invite: "The invitation is created, but no one receives it. Ask the operator of this server for its link, or to turn on email.",
    messages: "LIVE emails stay in the outbox and reach no one. Ask the operator of this server to turn on email.",
    receipts: "Buyers don't receive receipts until the operator of this server turns on email.",
    operator: "Invitations, password resets and alerts reach no one.",
  },
  zh: {
    title: "此服务器尚未启用邮件发送",
    signUp: "确认链接只保存在服务器上，请向平台运营方索取。",
    reset: "重置密码的链接只保存在服务器上，请向平台运营方索取。",
    confirm: "新链接只保存在服务器上，请向平台运营方索取。",
    invite: "邀请仍会生成，但对方收不到邮件。请向平台运营方索取链接，或请其启用邮件发送。",
    messages: "正式邮件会留在发件箱，不会送达。请联系平台运营方启用邮件发送。",
    receipts: "在平台运营方启用邮件发送之前，买家收不到收据。",
    operator: "邀请、密码重置和提醒邮件都不会送达。",
  },
});

/** What people need email for. */
export type MailNeed = "signUp" | "reset" | "confirm" | "invite" | "messages" | "receipts" | "operator";

/** True if this server sends email; undefined until that is known. */
export function useSendsMail(): boolean | undefined {
  const key = "GET /api/auth/options";
  const { data } = useQuery({ queryKey: [key], queryFn: () => plainClient.plain<{ sends_mail: boolean }>(key), staleTime: 300_000 });
  return data?.sends_mail;
}

/** If this server sends no email, shows what that means here and what to do; otherwise nothing. */
export function NoMailNote({ need, children }: { need: MailNeed; children?: ReactNode }) {
  const words = useWords(noMailWords);
  if (useSendsMail() !== false) return null;
  return (
    <div className="note" role="status">
      <IconMailOff size={20} stroke={1.5} aria-hidden />
      <div>
        <p>
          <strong>{words.title}</strong>
        </p>
        <p>{words[need]}</p>
        {children}
      </div>
    </div>
  );
}
