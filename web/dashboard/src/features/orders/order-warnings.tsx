import { IconAlertTriangle } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import type { Objects } from "../../data/client.ts";
import { useHere } from "../../data/here.tsx";
import { useCodesFor } from "../../parts/filters/gateways.ts";
import { useWords } from "../../words/language.tsx";
import { orderWords } from "./orders.words.ts";

/** What prevents buyers from paying the order. */
export function OrderWarnings({ order }: { order: Objects["Order"] }) {
  const words = useWords(orderWords);
  const here = useHere();
  const codes = useCodesFor(order.currency);
  return order.warnings.map(({ code, message }) => (
    <p key={code} className="note">
      <IconAlertTriangle size={20} stroke={1.5} aria-hidden />
      <span>
        {code === "no_payment_method" ? words.noWayToPay(order.currency) : message}{" "}
        {codes.length > 0 && here.may("codes") ? <Link to={here.to("/codes")}>{words.setUpCode}</Link> : null}{" "}
        {here.may("gateways") ? <Link to={here.to("/gateways")}>{words.setUpGateway}</Link> : null}
      </span>
    </p>
  ));
}
