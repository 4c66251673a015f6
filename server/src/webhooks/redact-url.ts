const gone = "…";

/** An address whose query keeps its names and loses its values: receivers are often told apart by a token in it. */
export function redactUrl(text: string): string {
  const [address, query] = text.split(/\?(.*)/s, 2);
  if (query === undefined) return text;
  const names = query.split("&").map((pair) => (pair.includes("=") ? `${pair.slice(0, pair.indexOf("="))}=${gone}` : gone));
  return `${address}?${names.join("&")}`;
}
