import type { TransactionStatus, TransactionType } from "../states.ts";

/** A page of a list that runs newest first: at most one of the two cursors. */
export interface ListPage {
  limit: number;
  starting_after?: string;
  ending_before?: string;
  /** Also counts all matching rows. */
  total?: boolean;
}

/** Filters of transactions: several values of one filter widen it, several filters narrow it. */
export interface TransactionFilters {
  status?: readonly TransactionStatus[];
  type?: readonly TransactionType[];
  reference?: readonly string[];
  gateway?: readonly string[];
  currency?: readonly string[];
  order_id?: readonly string[];
  created?: { gte?: Date; gt?: Date; lte?: Date; lt?: Date };
}

/** A page of a list, with the count if requested. */
export interface Listed<Item> {
  data: Item[];
  has_more: boolean;
  total_count?: number;
}
