import { IconAlertCircle } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import type { Objects } from "../../data/client.ts";
import { useHere } from "../../data/here.tsx";
import { useWords } from "../../words/language.tsx";
import { orderWords } from "./orders.words.ts";

/** A buyer's word that a canceled order was paid: nothing moves by it, so it says where to look. */
export function OrderClaim({ order }: { order: Objects["Order"] }) {
  const words = useWords(orderWords);
  const here = useHere();
  if (order.claimed_at === null) return null;
  return (
    <p className="note">
      <IconAlertCircle size={20} stroke={1.5} aria-hidden />
      <span>
        {words.claimed} <Link to={here.to("/receipts")}>{words.toReceipts}</Link>
      </span>
    </p>
  );
}
