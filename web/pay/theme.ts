/** Shows the page in the link's colors without a reload; its links, forms and address carry them on. */
export function turnColours(link: HTMLAnchorElement): void {
  const theme = link.dataset["themeTo"] ?? "";
  document.documentElement.dataset["theme"] = theme;
  for (const one of document.querySelectorAll<HTMLAnchorElement>("a[href^='/pay/']")) one.href = withTheme(one.href, theme);
  for (const form of document.querySelectorAll("form")) form.action = withTheme(form.action, theme);
  history.replaceState(null, "", withTheme(location.href, theme));
}

function withTheme(address: string, theme: string): string {
  const url = new URL(address);
  url.searchParams.set("theme", theme);
  return url.href;
}
