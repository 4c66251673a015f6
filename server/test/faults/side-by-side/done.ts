/** The responses that the callers got, for the comparison afterwards. */
export interface Done {
  /** Each with the status that it must have in the end. */
  orders: { id: string; project_id: string; status: string }[];
  /** Addresses that must get exactly one email, and those that must get none. */
  mails: { to: string; comes: boolean }[];
}
