/** Converts lightness, chroma and hue of an OKLCH color to hex, clipped to sRGB. */
export function hexOfOklch(lightness: number, chroma: number, hue: number): string {
  const a = chroma * Math.cos((hue * Math.PI) / 180);
  const b = chroma * Math.sin((hue * Math.PI) / 180);
  const long = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const medium = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const short = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const linear = [
    4.0767416621 * long - 3.3077115913 * medium + 0.2309699292 * short,
    -1.2684380046 * long + 2.6097574011 * medium - 0.3413193965 * short,
    -0.0041960863 * long - 0.7034186147 * medium + 1.707614701 * short,
  ];
  return `#${linear.map(channelHex).join("")}`;
}

function channelHex(linear: number): string {
  const clipped = Math.min(1, Math.max(0, linear));
  const encoded = clipped <= 0.0031308 ? 12.92 * clipped : 1.055 * clipped ** (1 / 2.4) - 0.055;
  return Math.round(encoded * 255)
    .toString(16)
    .padStart(2, "0");
}

const pair = /(--[\w-]+):\s*light-dark\(oklch\(([^)]*)\),\s*oklch\(([^)]*)\)\);/g;

function hexOfText(text: string): string {
  const [lightness = 0, chroma = 0, hue = 0] = text.trim().split(/\s+/).map(Number);
  return hexOfOklch(lightness, chroma, hue);
}

export interface Token {
  name: string;
  light: string;
  dark: string;
}

/** The colors of the token file as hex, for both themes. */
export function readTokens(source: string): Token[] {
  return [...source.matchAll(pair)].map(([, name = "", light = "", dark = ""]) => ({
    name,
    light: hexOfText(light),
    dark: hexOfText(dark),
  }));
}

/**
 * Converts the token file for the browsers inside wallet apps, which are years old and support neither oklch() nor light-dark(). The colors
 * are the same; only their notation changes.
 */
export function compileTokens(source: string): string {
  const tokens = readTokens(source);
  const plain = source.replace(pair, (_, name: string) => `${name}: ${tokens.find((token) => token.name === name)?.light};`);
  const dark = tokens.map((token) => `${token.name}:${token.dark};`).join("");
  return `${plain}@media (prefers-color-scheme:dark){:root:not([data-theme="light"]){${dark}}}:root[data-theme="dark"]{${dark}}`;
}

/** Removes what only people read. The sheet has no strings with spaces, braces or comment signs that must be preserved. */
export function shrinkStyle(source: string): string {
  return source
    .replace(/\/\*[\s\S]*?\*\//g, "")
    .replace(/\s+/g, " ")
    .replace(/ ?([{};,]) ?/g, "$1")
    .replace(/: /g, ":")
    .replace(/;\}/g, "}")
    .trim();
}
