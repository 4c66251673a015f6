import { IconAlertCircle } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import type { Objects } from "../../data/client.ts";
import { useHere } from "../../data/here.tsx";
import { useApi } from "../../data/queries.ts";
import { moneyText } from "../../parts/shown/money.tsx";
import { useLanguage, useWords } from "../../words/language.tsx";
import { caseName, reportedBy } from "../exceptions/case-name.ts";
import { exceptionWords } from "../exceptions/exceptions.words.ts";
import { orderWords } from "./orders.words.ts";

/** Money of this order that only a person can assign. */
export function OrderHeld({ order }: { order: Objects["Order"] }) {
  const words = useWords(orderWords);
  const cases = useWords(exceptionWords);
  const { locale } = useLanguage();
  const here = useHere();
  const query = { order_id: order.id, status: ["open" as const] };
  const held = useApi("GET /api/v1/projects/{projectId}/exceptions", { query }).data?.data ?? [];
  const sentence = (one: Objects["PaymentException"]) => {
    const sum = moneyText(locale, one.amount_minor, one.currency);
    const name = caseName(one, cases);
    return reportedBy(one, cases) === null ? words.held(sum, name) : words.reported(sum, name);
  };
  return held.map((one) => (
    <p key={one.id} className="note">
      <IconAlertCircle size={20} stroke={1.5} aria-hidden />
      <span>
        {sentence(one)}{" "}
        <Link to={here.to("/exceptions")} search={{ order: order.id } as never}>
          {words.decide}
        </Link>
      </span>
    </p>
  ));
}
