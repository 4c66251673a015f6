import spectral from "@stoplight/spectral-core";
import rulesets from "@stoplight/spectral-rulesets";

/** What spectral's OpenAPI rules report as errors in a document. */
export async function spectralErrors(document: object): Promise<string[]> {
  const linter = new spectral.Spectral();
  linter.setRuleset(rulesets.oas as never);
  const found = await linter.run(structuredClone(document) as never);
  return found.filter(({ severity }) => severity === 0).map(({ code, message, path }) => `${code}: ${message} at ${path.join(".")}`);
}
