/** A file of this server by its path alone: the page may have been opened under another name of the host than the configured one. */
export function ownAddress(url: string): string {
  const { pathname, search } = new URL(url, location.href);
  return `${pathname}${search}`;
}

/** A page of the dashboard that a link asks for after signing in. What leads to another site, however it is written, is the first page. */
export function pageOf(wanted: string | undefined): string {
  const url = wanted !== undefined && URL.canParse(wanted, location.origin) ? new URL(wanted, location.origin) : null;
  if (url?.origin !== location.origin) return "/";
  return `${url.pathname}${url.search}${url.hash}`.replace(/^\/dashboard(?=\/|$)/, "").replace(/^[/\\]*/, "/");
}
