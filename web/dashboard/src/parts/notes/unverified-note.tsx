import { IconShieldOff } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { useHere } from "../../data/here.tsx";
import { defineWords, useWords } from "../../words/language.tsx";

const unverifiedWords = defineWords({
  en: {
    pending: "Your business isn't verified yet",
    rejected: "Your business wasn't approved",
    orders: "You can't create LIVE orders and payment links until it is. TEST already works.",
    messages: "You can't send LIVE messages until it is. TEST already works.",
    see: "View verification",
  },
  zh: {
    pending: "您的商户尚未通过审核",
    rejected: "您的商户未通过审核",
    orders: "通过审核前无法在正式环境创建订单和付款链接，测试环境可照常使用。",
    messages: "通过审核前无法在正式环境发送消息，测试环境可照常使用。",
    see: "查看审核状态",
  },
});

/**
 * The merchant's verification status if the server would refuse to create this in LIVE; null if it wouldn't, or if that isn't known here.
 */
export function useUnverified(): "pending" | "rejected" | null {
  const { livemode, membership } = useHere();
  return !livemode || membership === null || membership.verification_status === "verified" ? null : membership.verification_status;
}

/**
 * Shows, before anything is filled in, that this merchant can't do it in LIVE yet, and links to its verification status; otherwise nothing.
 */
export function UnverifiedNote({ what }: { what: "orders" | "messages" }) {
  const words = useWords(unverifiedWords);
  const here = useHere();
  const state = useUnverified();
  if (state === null) return null;
  return (
    <div className="note" role="status">
      <IconShieldOff size={20} stroke={1.5} aria-hidden />
      <div>
        <p>
          <strong>{words[state]}</strong>
        </p>
        <p>{words[what]}</p>
        <p>
          <Link to={here.to("/settings")} hash="verification">
            {words.see}
          </Link>
        </p>
      </div>
    </div>
  );
}
