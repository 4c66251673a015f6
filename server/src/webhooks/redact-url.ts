const gone = "…";

/** A URL whose query keeps its names but not its values, which often contain a token. */
export function redactUrl(text: string): string {
  const [address, query] = text.split(/\?(.*)/s, 2);
  if (query === undefined) return text;
  const names = query.split("&").map((pair) => (pair.includes("=") ? `${pair.slice(0, pair.indexOf("="))}=${gone}` : gone));
  return `${address}?${names.join("&")}`;
}
