/** What the driver needs to reach `url`. A `host` parameter naming a folder (`postgres:///name?host=/run/postgresql`, as libpq has it) is that folder's Unix socket. */
export function connectionOf(url: string): [url: string, options: { path?: string }] {
  const parsed = URL.parse(url);
  const folder = parsed?.searchParams.get("host") ?? null;
  if (parsed === null || folder === null || !folder.startsWith("/")) return [url, {}];
  const port = parsed.searchParams.get("port") ?? (parsed.port || "5432");
  parsed.searchParams.delete("host");
  parsed.searchParams.delete("port");
  return [parsed.href, { path: `${folder}/.s.PGSQL.${port}` }];
}
