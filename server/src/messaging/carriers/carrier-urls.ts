/** Separates the URLs of a setting. A comma only separates them before a scheme, because parameters contain commas too. */
export function splitUrls(text: string, scheme: "http" | "sip" | "smpp"): string[] {
  return text
    .split(new RegExp(`,(?=\\s{0,20}${scheme}s?://)`, "i"))
    .map((one) => one.trim())
    .filter((one) => one !== "");
}

/**
 * The faults of what follows the host in a carrier's URL. None repeats a name or a value, because the rest of an unencoded password may be
 * anywhere in it.
 */
export function parameterFaults(url: URL, { names, mayHavePath = false }: { names: readonly string[]; mayHavePath?: boolean }): string[] {
  const given = [...url.searchParams.keys()];
  const faults: string[] = [];
  if (given.some((name) => !names.includes(name))) faults.push(`has a parameter that isn't one of ${names.join(", ")}`);
  if (new Set(given).size < given.length) faults.push("has a parameter twice");
  if (!mayHavePath && (url.hash !== "" || !/^\/?$/.test(url.pathname))) faults.push("has more behind the host than parameters");
  if (mayHavePath && url.hash !== "") faults.push("has a # behind its parameters");
  return faults;
}

/** The faults of connections with the name of an earlier one; `undefined` is one that couldn't be read. */
export function sameNameFaults(noun: string, names: readonly (string | undefined)[]): string[] {
  return names.flatMap((name, at) => {
    const first = names.indexOf(name);
    if (name === undefined || first === at) return [];
    return [`${noun} ${at + 1} has the name of ${noun} ${first + 1}: give each its own name=…`];
  });
}
