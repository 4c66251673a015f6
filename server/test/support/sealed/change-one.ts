/** A base64url text with its fourth character from the end changed: the last one may have bits that no reader looks at. */
export function changeOne(text: string): string {
  return `${text.slice(0, -4)}${text.at(-4) === "A" ? "B" : "A"}${text.slice(-3)}`;
}
