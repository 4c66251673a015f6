/** Where a quoted string that opens at `start` closes, or -1. */
function closingQuote(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at += 1) {
    const char = text[at];
    if (char === "\\") at += 1;
    else if (char === '"') return at;
  }
  return -1;
}

/** Splits at a separator outside quotes and angle brackets. An unclosed quote or bracket extends to the end. */
export function splitOutside(text: string, separator: string): string[] {
  const parts: string[] = [];
  let start = 0;
  let isInside = false;
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at];
    if (char === '"') {
      const close = closingQuote(text, at);
      if (close < 0) break;
      at = close;
    } else if (char === "<") isInside = true;
    else if (char === ">") isInside = false;
    else if (char === separator && !isInside) {
      parts.push(text.slice(start, at));
      start = at + 1;
    }
  }
  parts.push(text.slice(start));
  return parts.map((part) => part.trim());
}

/** The values of a comma-separated header, without empty ones. */
export function splitList(text: string): string[] {
  return splitOutside(text, ",").filter((part) => part !== "");
}

/** Whether every opening quote is closed. */
export function hasBalancedQuotes(text: string): boolean {
  for (let at = text.indexOf('"'); at >= 0; at = text.indexOf('"', at + 1)) {
    at = closingQuote(text, at);
    if (at < 0) return false;
  }
  return true;
}

/** The content of a quoted string; text without quotes is returned unchanged. */
export function unquote(text: string): string {
  if (text.length < 2 || !text.startsWith('"') || !text.endsWith('"')) return text;
  return text.slice(1, -1).replace(/\\(.)/gs, "$1");
}

export function quote(text: string): string {
  return `"${text.replace(/[\\"]/g, "\\$&")}"`;
}

/** Parses `;name=value;flag` into a map with names in lower case; a flag has an empty value, and the first of a repeated name counts. */
export function parseParams(text: string, separator = ";"): Map<string, string> {
  const params = new Map<string, string>();
  for (const part of splitOutside(text, separator)) {
    const equals = part.indexOf("=");
    const name = (equals < 0 ? part : part.slice(0, equals)).trim().toLowerCase();
    if (name !== "" && !params.has(name)) params.set(name, equals < 0 ? "" : unquote(part.slice(equals + 1).trim()));
  }
  return params;
}
