import { flagsOf, proofOf, sessionOf, type Waiting } from "./use-queue.ts";

export interface Expected {
  /** The amount requested from the buyer. */
  requestedMinor: number;
  /** What is owed: the same, or slightly more if amounts distinguish payments. Anything between them pays exactly. */
  owedMinor: number;
  /** What the buyer says they sent; null if they didn't say. */
  reportedMinor: number | null;
  /** True if the reported amount is outside of that range. */
  differs: boolean;
}

export function expectedOf(order: Waiting): Expected {
  const session = sessionOf(order);
  const owedMinor = order.status === "paid" ? order.amount_minor : Math.max(1, order.amount_minor - order.amount_held_minor);
  const requestedMinor = session?.amount_minor === owedMinor ? session.payable_amount_minor : owedMinor;
  return expectedFrom({ requestedMinor, owedMinor, reportedMinor: proofOf(order)?.amount_minor ?? null });
}

export function expectedFrom(given: Omit<Expected, "differs">): Expected {
  const { requestedMinor, owedMinor, reportedMinor } = given;
  return { ...given, differs: reportedMinor !== null && (reportedMinor < requestedMinor || reportedMinor > owedMinor) };
}

/** A payment as it is assessed before approval. */
export interface Weighed {
  reference: string;
  currency: string;
  expected: Expected;
  /** What looks wrong with its proof. */
  flags: string[];
}

/** True if approving it needs a confirmation. */
export function isOdd({ flags, expected }: Weighed): boolean {
  return flags.length > 0 || expected.differs;
}

export function weighedOf(order: Waiting): Weighed {
  return { reference: order.reference, currency: order.currency, expected: expectedOf(order), flags: flagsOf(order) };
}

/** The default amount of an approval. */
export function usualSum({ requestedMinor, reportedMinor, differs }: Expected): number {
  return reportedMinor === null || differs ? requestedMinor : reportedMinor;
}

/** The approval of an amount; it confirms the shortfall or excess that the reviewer has seen. */
export function approvalOf(expected: Expected, sumMinor: number): Record<string, unknown> {
  const missing = expected.requestedMinor - sumMinor;
  const over = sumMinor - expected.owedMinor;
  return {
    decision: "approve",
    received_amount_minor: sumMinor,
    ...(missing > 0 ? { confirm_shortfall_minor: missing } : {}),
    ...(over > 0 ? { confirm_excess_minor: over } : {}),
  };
}
