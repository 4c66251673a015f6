import { decimalOf, platformErrors } from "#platform/index.ts";
import { orderErrors } from "../errors.ts";
import type { OrderRow } from "../shapes.ts";
import type { Arrival } from "./arrival.ts";
import type { Money, Verdict } from "./decide.ts";

/**
 * Why this money changes nothing without a further confirmation, or null. Held money that pays nothing stays with its exception, unless its
 * order is already paid.
 */
export function refusalOf({ order, money, from }: Arrival, verdict: Verdict): Error | null {
  if (order !== null && verdict.kind === "unconfirmed") return shortUnconfirmed(order, { money, verdict });
  if (order !== null && verdict.kind === "excess") return excessUnconfirmed(order, { money, verdict });
  if (from === null || verdict.kind === "pay") return null;
  if (order === null)
    return platformErrors.parameter_missing({ param: "order_id", reason: "order_needed", message: "Send the order this money is for." });
  const exception = verdict.kind === "exception" ? verdict.exception : null;
  if (exception === "mismatch")
    return platformErrors.parameter_conflict({
      param: "order_id",
      reason: "other_currency",
      message: "The order has a different currency.",
    });
  return exception === "duplicate" ? null : orderErrors.order_state_conflict({ fields: { status: order.status } });
}

function shortUnconfirmed(order: OrderRow, given: { money: Money; verdict: Extract<Verdict, { kind: "unconfirmed" }> }): Error {
  const { money } = given;
  const { expectedMinor, shortfallMinor } = given.verdict;
  const fields = {
    expected_minor: expectedMinor,
    received_minor: money.amount_minor,
    shortfall_minor: shortfallMinor,
    currency: order.currency,
  };
  const param = "confirm_shortfall_minor";
  if (shortfallMinor === 0)
    return orderErrors.shortfall_unconfirmed({ param, fields, message: "Nothing is missing. Leave out confirm_shortfall_minor." });
  const message = `${written(order, money.amount_minor)} arrived, ${written(order, expectedMinor)} was expected. To accept it in full, send the missing amount as confirm_shortfall_minor.`;
  return orderErrors.shortfall_unconfirmed({ param, fields, message });
}

function excessUnconfirmed(order: OrderRow, given: { money: Money; verdict: Extract<Verdict, { kind: "excess" }> }): Error {
  const { money } = given;
  const { expectedMinor, excessMinor } = given.verdict;
  const fields = { expected_minor: expectedMinor, received_minor: money.amount_minor, excess_minor: excessMinor, currency: order.currency };
  const param = "confirm_excess_minor";
  if (excessMinor === 0)
    return platformErrors.parameter_conflict({
      param,
      fields,
      reason: "no_excess",
      message: "There is no excess. Leave out confirm_excess_minor.",
    });
  const message = `${written(order, money.amount_minor)} is more than the ${written(order, expectedMinor)} that was expected. If this amount arrived, send the excess as confirm_excess_minor.`;
  return platformErrors.parameter_missing({ param, fields, reason: "excess_unconfirmed", message });
}

function written(order: OrderRow, minor: number): string {
  return `${decimalOf(minor, order.exponent)} ${order.currency}`;
}
