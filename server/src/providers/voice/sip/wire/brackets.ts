/** Where the first angle bracket outside quotes opens and closes; -1 if it doesn't. Quotes must be balanced. */
export function closingBracket(text: string): { open: number; close: number } {
  let isQuoted = false;
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at];
    if (isQuoted && char === "\\") at += 1;
    else if (char === '"') isQuoted = !isQuoted;
    else if (char === "<" && !isQuoted) return { open: at, close: text.indexOf(">", at) };
  }
  return { open: -1, close: -1 };
}
