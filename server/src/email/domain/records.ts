export type RecordPurpose = "verification" | "dkim" | "spf" | "dmarc" | "return_path" | "links";

/** One record to publish. `pending`: not looked up yet; `failed`: looked up and missing or wrong. */
export interface DomainRecord {
  type: "TXT" | "CNAME";
  name: string;
  value: string;
  purpose: RecordPurpose;
  status: "pending" | "verified" | "failed";
}

/** Required to send from the domain. The others only improve delivery. */
export const requiredPurposes: ReadonlySet<RecordPurpose> = new Set(["verification", "dkim"]);

interface DomainFacts {
  name: string;
  token: string;
  selector: string;
  /** DER of the public key, in base64. */
  public_key: string;
  /** The domain whose SPF record lists the servers that email is sent from. */
  platformDomain: string;
  /** Where bounces are received; null: nowhere. */
  bounceDomain: string | null;
  /** The label of the sender's own domain that receives bounces. */
  returnPath?: string | undefined;
  /** The host that links in email lead to; null if the operator has no separate one. */
  linksHost: string | null;
  /** The label of the sender's own domain for links. */
  linksLabel?: string | undefined;
}

/** All records that a domain's owner should publish. */
export function recordsOf(facts: DomainFacts): DomainRecord[] {
  const { name, token, selector, public_key, platformDomain, bounceDomain, returnPath = usualReturnPath, linksHost, linksLabel } = facts;
  const txt = (purpose: RecordPurpose, host: string, value: string): DomainRecord => ({
    type: "TXT",
    name: host,
    value,
    purpose,
    status: "pending",
  });
  const texts = [
    txt("verification", `_tillpost.${name}`, `tillpost-verification=${token}`),
    txt("dkim", `${selector}._domainkey.${name}`, `v=DKIM1; k=rsa; p=${public_key}`),
    txt("spf", name, `v=spf1 include:${platformDomain} ~all`),
    txt("dmarc", `_dmarc.${name}`, "v=DMARC1; p=none;"),
  ];
  const returns: DomainRecord[] =
    bounceDomain === null
      ? []
      : [{ type: "CNAME", name: `${returnPath}.${name}`, value: bounceDomain, purpose: "return_path", status: "pending" }];
  return [...texts, ...returns, ...(linksHost === null ? [] : [linksRecord(name, linksHost, linksLabel)])];
}

/** The record that lets links in email use the sender's own domain. */
export function linksRecord(name: string, linksHost: string, label = usualLinks): DomainRecord {
  return { type: "CNAME", name: `${label}.${name}`, value: linksHost, purpose: "links", status: "pending" };
}

const usualReturnPath = "bounces";
const usualLinks = "links";

/** True if DNS returned what the record requires. `found`: whole texts, or the targets of a CNAME. */
export function isPublished(record: DomainRecord, found: readonly string[]): boolean {
  const texts = found.map((text) => text.trim());
  switch (record.purpose) {
    case "verification":
      return texts.includes(record.value);
    case "dkim":
      return texts.some((text) => tagOf(text, "p") === tagOf(record.value, "p") && (tagOf(text, "k") ?? "rsa") === "rsa");
    case "spf":
      return isSpfWith(texts, record.value.split(" ")[1] as string);
    case "dmarc":
      return texts.filter((text) => /^v=DMARC1\s*;/i.test(text) && /^(none|quarantine|reject)$/i.test(tagOf(text, "p") ?? "")).length === 1;
    case "return_path":
    case "links":
      return texts.some((name) => name.replace(/\.$/, "").toLowerCase() === record.value);
  }
}

/** Two SPF records are worse than none: receivers then ignore both. */
function isSpfWith(texts: readonly string[], mechanism: string): boolean {
  const records = texts.filter((text) => /^v=spf1(\s|$)/i.test(text));
  const terms = (records[0] ?? "").toLowerCase().split(/\s+/);
  return records.length === 1 && (terms.includes(mechanism) || terms.includes(`+${mechanism}`));
}

/** A tag of `k=v; k=v`, without the white space that splits long values. */
function tagOf(text: string, tag: string): string | undefined {
  const found = text.split(";").find((part) => part.trimStart().startsWith(`${tag}=`));
  return found?.slice(found.indexOf("=") + 1).replace(/\s+/g, "");
}
