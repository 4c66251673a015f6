/** What the callers were told, for the comparison afterwards. */
export interface Done {
  /** Each with the status that it must have in the end. */
  orders: { id: string; project_id: string; status: string }[];
  /** Addresses to which exactly one mail has to come, and those to which none may. */
  mails: { to: string; comes: boolean }[];
}
