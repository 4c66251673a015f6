const longestInput = 1_000_000;
const lineLength = 78;

let convert: Promise<(html: string) => string> | undefined;

/** A readable text of a message that came as HTML alone: links keep their addresses, pictures their descriptions. */
export async function textOfHtml(html: string): Promise<string> {
  // Only such messages need the converter.
  convert ??= import("html-to-text").then(({ compile }) =>
    compile({
      wordwrap: lineLength,
      limits: { maxInputLength: longestInput, maxDepth: 200, maxChildNodes: 20_000, ellipsis: "…" },
      selectors: [
        { selector: "a", options: { hideLinkHrefIfSameAsText: true, ignoreHref: false } },
        { selector: "img", format: "inlineAlt" },
        ...["h1", "h2", "h3", "h4", "h5", "h6"].map((selector) => ({ selector, options: { uppercase: false } })),
      ],
      formatters: { inlineAlt: (element, _walk, builder) => builder.addInline(String(element.attribs["alt"] ?? "")) },
    }),
  );
  return (await convert)(html).trim();
}
