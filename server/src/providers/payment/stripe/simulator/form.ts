/** A Stripe form body as nested fields: `a[b][0][c]=d` is `{a: {b: {0: {c: "d"}}}}`. */
export interface Form {
  readonly [name: string]: string | Form;
}

export function readForm(text: string): Form {
  const root: Record<string, string | Form> = Object.create(null);
  for (const [name, value] of new URLSearchParams(text)) {
    const path = name.replaceAll("]", "").split("[");
    const last = path.pop() ?? "";
    let at: Record<string, string | Form> = root;
    for (const part of path.slice(0, 10)) {
      const inside = at[part];
      at = at[part] = typeof inside === "object" ? inside : Object.create(null);
    }
    at[last] = value;
  }
  return root;
}

/** The text at a path; null if there is none. */
export function textAt(form: Form, ...path: string[]): string | null {
  let at: string | Form | undefined = form;
  for (const part of path) at = typeof at === "object" ? at[part] : undefined;
  return typeof at === "string" ? at : null;
}

/** The texts under a path, by name. */
export function textsAt(form: Form, ...path: string[]): Record<string, string> {
  let at: string | Form | undefined = form;
  for (const part of path) at = typeof at === "object" ? at[part] : undefined;
  const entries = typeof at === "object" ? Object.entries(at) : [];
  return Object.fromEntries(entries.filter((entry): entry is [string, string] => typeof entry[1] === "string"));
}

/** A whole number of a form; NaN for anything else. */
export function numberAt(form: Form, ...path: string[]): number {
  const text = textAt(form, ...path);
  return text !== null && /^-?\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
}
