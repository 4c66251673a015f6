type Ask = () => Promise<boolean>;

let ask: Ask | null = null;

/** The dialog that asks for the password says how it is opened. */
export function onConfirmation(dialog: Ask | null): void {
  ask = dialog;
}

/** Keys, secrets and codes want a session that was confirmed a few minutes ago: asks for the password once more. */
export function provedToBeYou(): Promise<boolean> {
  return ask?.() ?? Promise.resolve(false);
}
