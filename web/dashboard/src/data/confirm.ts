type Ask = () => Promise<boolean>;

let ask: Ask | null = null;

/** Registers the function that opens the dialog for the password. */
export function onConfirmation(dialog: Ask | null): void {
  ask = dialog;
}

/** Keys, secrets and codes require a session that was confirmed a few minutes ago: asks for the password again. */
export function provedToBeYou(): Promise<boolean> {
  return ask?.() ?? Promise.resolve(false);
}
