const unwanted = "script, iframe, frame, frameset, object, embed, applet, link, base, meta, video, audio, source, portal, image, use";
const unwantedAttributes = /^(on.*|srcset|background|poster|ping|action|formaction|xlink:href)$/i;
const ground =
  ":root{color-scheme:light}body{margin:16px;background:#fff;color:#1a1a1a;font:15px/1.5 system-ui,sans-serif;overflow-wrap:anywhere}" +
  "a{color:#0b57d0;text-decoration:underline}img{max-width:100%}img:not([src]){display:inline-block;min-width:24px;min-height:24px;background:#eee}";

/**
 * An email's HTML as a document for a sandboxed frame under the page's own policy: no scripts, no requests, no links. The policy only
 * accepts style elements with the page's nonce, so `style` attributes are converted to rules of one.
 */
export function renderPreview(html: string, nonce: string): string {
  // Renamed before parsing: some browsers check even a document that is never shown against the policy.
  const parsed = new DOMParser().parseFromString(
    html
      .replace(/<style\b/gi, "<x-style")
      .replace(/<\/style\b/gi, "</x-style")
      .replace(/\sstyle\s*=/gi, " data-style="),
    "text/html",
  );
  for (const element of parsed.querySelectorAll(unwanted)) element.remove();
  const sheets = [...parsed.querySelectorAll("x-style")].map((sheet) => {
    sheet.remove();
    return sheet.textContent;
  });
  const rules = [...parsed.querySelectorAll("*")].map((element, index) => calm(element, index));
  const style = (css: string) => `<style nonce="${nonce}">${css}</style>`;
  const head = `<meta charset="utf-8">${style(ground)}${style(cleanCss(sheets.join("\n")))}${style(cleanCss(rules.join("\n")))}`;
  return `<!doctype html><html><head>${head}</head>${parsed.body.outerHTML}</html>`;
}

/** Removes everything active or external from an element; returns the rule that replaces its own style. */
function calm(element: Element, index: number): string {
  for (const { name } of [...element.attributes]) if (unwantedAttributes.test(name)) element.removeAttribute(name);
  const source = element.getAttribute("src");
  if (source !== null && !source.startsWith("data:image/")) element.removeAttribute("src");
  const address = element.getAttribute("href");
  if (address !== null) {
    element.removeAttribute("href");
    element.setAttribute("title", address);
  }
  const own = element.getAttribute("data-style");
  if (own === null) return "";
  element.removeAttribute("data-style");
  element.setAttribute("data-rule", String(index));
  // Repeated, so that it outranks the rules of a style sheet like an attribute would.
  return `${`[data-rule="${index}"]`.repeat(4)}{${own.replaceAll(/[{}]/g, "")}}`;
}

function cleanCss(css: string): string {
  return css
    .replaceAll("<", "\\3c ")
    .replace(/@(import|font-face)[^;}]*[;}]?/gi, "")
    .replace(/url\(\s*['"]?(?!['"]?data:image\/)[^)]*\)/gi, "none");
}
