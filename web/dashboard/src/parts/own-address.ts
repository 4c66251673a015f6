/** A file of this server by its path alone: the page may have been opened under another name of the host than the configured one. */
export function ownAddress(url: string): string {
  const { pathname, search } = new URL(url, location.href);
  return `${pathname}${search}`;
}
