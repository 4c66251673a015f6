/** A file of this server by its path only: the page may have been opened under a hostname other than the configured one. */
export function ownAddress(url: string): string {
  const { pathname, search } = new URL(url, location.href);
  return `${pathname}${search}`;
}

/** The dashboard page that a link wants after signing in. A link to another site, however it is written, becomes the first page. */
export function pageOf(wanted: string | undefined): string {
  const url = wanted !== undefined && URL.canParse(wanted, location.origin) ? new URL(wanted, location.origin) : null;
  if (url?.origin !== location.origin) return "/";
  return `${url.pathname}${url.search}${url.hash}`.replace(/^\/dashboard(?=\/|$)/, "").replace(/^[/\\]*/, "/");
}
