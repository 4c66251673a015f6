import { readdirSync } from "node:fs";
import { parseAllDocuments } from "yaml";
import { deployed, repository } from "./shipped.ts";

/** One object of a Kubernetes cluster, with the fields that the tests read. */
export interface Manifest {
  apiVersion: string;
  kind: string;
  metadata: { name: string };
  [field: string]: unknown;
}

interface Finding {
  instancePath: string;
  message?: string;
  keyword: string;
  params: unknown;
}

type Validate = ((data: unknown) => boolean) & { errors: Finding[] | null };

/** The documents of a YAML file below `deploy/`; throws on a syntax error or a duplicate name. */
export function documentsOf(path: string): unknown[] {
  return parseAllDocuments(deployed(path), { uniqueKeys: true }).map((document) => {
    if (document.errors.length > 0) throw document.errors[0];
    return document.toJS();
  });
}

/** All objects of `deploy/kubernetes/`. */
export const manifests = readdirSync(`${repository}deploy/kubernetes`).flatMap((file) => documentsOf(`kubernetes/${file}`) as Manifest[]);

/** The objects of one kind. */
export const ofKind = (kind: string) => manifests.filter((one) => one.kind === kind);

/** What the published schema of its kind refuses in an object, and the fields that it doesn't know. */
export async function manifestFaults(manifest: Manifest): Promise<string[]> {
  const validate = await schemaOf(manifest);
  const reads: Reads = new Map();
  const refused = validate(recording(manifest, reads)) ? [] : (validate.errors ?? []);
  return [
    ...refused.map(({ instancePath, keyword, params }) => `${instancePath || "/"}: ${keyword} ${JSON.stringify(params)}`),
    ...unreadFields(manifest, reads, "").map((path) => `${path}: no such field`),
  ];
}

async function schemaOf({ apiVersion, kind }: Manifest): Promise<Validate> {
  const [version = "", group = "core"] = apiVersion.split("/").reverse();
  const name = ["IoK8sApi", group.replace(/\..*/, ""), version, kind].map((part) => part.charAt(0).toUpperCase() + part.slice(1)).join("");
  return ((await import(`kubernetes-models/_schemas/${name}`)) as { validate: Validate }).validate;
}

/** Objects, and which of their fields were read. */
type Reads = Map<object, { fields: Set<string>; proxy: object }>;

/**
 * The schemas allow unknown fields, as clusters do. A validator reads every field in its schema, so a field it doesn't read is misspelled.
 */
function recording(value: unknown, reads: Reads): unknown {
  if (typeof value !== "object" || value === null) return value;
  const known = reads.get(value);
  if (known !== undefined) return known.proxy;
  const fields = new Set<string>();
  const proxy = new Proxy(value, {
    get(target, name) {
      if (typeof name === "string") fields.add(name);
      return recording(Reflect.get(target, name), reads);
    },
  });
  reads.set(value, { fields, proxy });
  return proxy;
}

function unreadFields(value: unknown, reads: Reads, path: string): string[] {
  if (typeof value !== "object" || value === null) return [];
  const fields = reads.get(value)?.fields;
  return Object.entries(value).flatMap(([name, field]) =>
    fields?.has(name) ? unreadFields(field, reads, `${path}/${name}`) : [`${path}/${name}`],
  );
}
