const form = ["input", "option", "optgroup", "select", "button", "datalist", "textarea"];
const blocks =
  "address article aside blockquote details div dl fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr main nav ol p pre section table ul";

/** The elements that an opening tag closes implicitly, as in `<li>one<li>two`. */
const closed: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  [
    ...blocks.split(" ").map((name) => [name, ["p"]] as const),
    ["tr", ["tr", "th", "td"]] as const,
    ["th", ["th", "td"]] as const,
    ["td", ["thead", "th", "td"]] as const,
    ["body", ["head", "link", "script"]] as const,
    ["li", ["li"]] as const,
    ...["select", "input", "output", "button", "datalist", "textarea"].map((name) => [name, form] as const),
    ["option", ["option"]] as const,
    ["optgroup", ["optgroup", "option"]] as const,
    ["dd", ["dd", "dt"]] as const,
    ["dt", ["dd", "dt"]] as const,
    ["rt", ["rt", "rp"]] as const,
    ["rp", ["rt", "rp"]] as const,
    ["tbody", ["thead", "tbody", "tr", "th", "td"]] as const,
    ["tfoot", ["thead", "tbody", "tr", "th", "td"]] as const,
  ].map(([name, names]) => [name, new Set(names)]),
);
const voids = new Set(
  "area base basefont br col command embed frame hr img input isindex keygen link meta param source track wbr".split(" "),
);
const foreign = new Set(["math", "svg"]);
const integration = new Set(["mi", "mo", "mn", "ms", "mtext", "annotation-xml", "foreignobject", "desc", "title"]);

/** True if an open element ends because another one begins. */
export function closesBefore(next: string, open: string): boolean {
  return closed.get(next)?.has(open) === true;
}

/** Elements without content and closing tag. */
export function isVoid(name: string): boolean {
  return voids.has(name);
}

export function startsForeign(name: string): boolean {
  return foreign.has(name);
}

/** Elements of SVG and MathML whose content is HTML again. */
export function leavesForeign(name: string): boolean {
  return integration.has(name);
}
