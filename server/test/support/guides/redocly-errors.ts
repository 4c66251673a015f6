import { createConfig, lintFromString } from "@redocly/openapi-core";

/** What redocly's recommended rules report as errors in a document; `path` is its address. */
export async function redoclyErrors(document: object, path: string): Promise<string[]> {
  const config = await createConfig({ extends: ["recommended"] });
  const problems = await lintFromString({ source: JSON.stringify(document), absoluteRef: `${process.cwd()}${path}`, config });
  return problems.filter(({ severity }) => severity === "error").map(({ ruleId, message }) => `${ruleId}: ${message}`);
}
