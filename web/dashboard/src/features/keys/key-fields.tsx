import { Checkbox, Radio, Textarea, TextInput } from "@mantine/core";
import { useZone } from "../../data/here.tsx";
import { dateOf, midnightOf } from "../../data/zone.ts";
import { useChannels } from "../../parts/filters/gateways.ts";
import { useWords } from "../../words/language.tsx";
import { shared } from "../../words/shared.ts";
import type { ApiKey } from "./api-key.ts";
import { keyWords } from "./keys.words.ts";

const shop = ["orders:read", "orders:write", "payments:read", "payments:write", "webhooks:read", "webhooks:write"];
const messages = ["emails", "sms", "calls", "domains", "suppressions"].flatMap((name) => [`${name}:read`, `${name}:write`]);
const grave = ["collection_profiles:write", "reviews:write", "refunds:write", "receipts:write"];
const everything = [...shop, ...messages];
const presets = { shop, all: everything, read: everything.filter((name) => name.endsWith(":read")), own: [] as string[] };

type Preset = keyof typeof presets;

export interface GivenKey {
  name: string;
  preset: Preset;
  own: string[];
  /** Addresses and ranges as typed. */
  ips: string;
  /** The account whose transfers it reports, as `channel:account`. */
  account: string;
  /** The last day on which it works, in the format of date fields; empty: no end. */
  until: string;
}

export const blankKey: GivenKey = { name: "", preset: "shop", own: shop, ips: "", account: "", until: "" };

/** A key's values as field texts: a preset if its permissions match one exactly. */
export function givenOf(
  key: Pick<ApiKey, "name" | "permissions" | "allowed_ips" | "receiving_account" | "expires_at">,
  zone: string | undefined,
): GivenKey {
  const same = (names: string[]) => names.length === key.permissions.length && names.every((name) => key.permissions.includes(name));
  const preset = (Object.keys(presets) as Preset[]).find((one) => one !== "own" && same(presets[one])) ?? "own";
  return {
    name: key.name,
    preset,
    own: key.permissions,
    ips: key.allowed_ips.join("\n"),
    account: key.receiving_account ?? "",
    until: key.expires_at === null ? "" : dateOf(new Date(key.expires_at), zone),
  };
}

/**
 * What a person changed, as the API expects it. The rest isn't sent: a date field shows only the day of an expiry, so sending it back
 * would move the expiry to the end of the reader's day.
 */
export function changesOf(given: GivenKey, before: GivenKey, zone?: string): Partial<ReturnType<typeof bodyOf>> {
  const body = bodyOf(given, zone);
  const { expires_at, ...rest } = body;
  const old = bodyOf(before, zone);
  const changed = Object.entries(rest).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(old[name as keyof typeof rest]));
  return { ...Object.fromEntries(changed), ...(given.until === before.until ? {} : { expires_at }) };
}

/** The fields as the API expects them. The last day ends at midnight in the zone. */
export function bodyOf({ name, preset, own, ips, account, until }: GivenKey, zone?: string) {
  const permissions = preset === "own" ? own : presets[preset];
  return {
    name: name.trim(),
    permissions,
    receiving_account: permissions.includes("receipts:write") && account.trim() !== "" ? account.trim() : null,
    allowed_ips: ips.split(/[\s,]+/).filter((one) => one !== ""),
    expires_at: until === "" ? null : new Date(midnightOf(until, 1, zone).getTime() - 1).toISOString(),
  };
}

export function isUnfinished(given: GivenKey): boolean {
  const { name, permissions } = bodyOf(given);
  return name === "" || permissions.length === 0;
}

interface Fields {
  given: GivenKey;
  /** The server's refusals, by its field names. */
  faults: Record<string, string>;
  onChange(given: GivenKey): void;
}

export function KeyFields({ given, faults, onChange }: Fields) {
  const words = useWords(keyWords);
  const all = useWords(shared);
  const zone = useZone();
  const fault = (name: string) => Object.entries(faults).find(([param]) => param.startsWith(name))?.[1];
  return (
    <>
      <TextInput
        label={words.name}
        description={words.nameHint}
        maxLength={100}
        data-autofocus
        value={given.name}
        error={fault("name")}
        onChange={(event) => onChange({ ...given, name: event.currentTarget.value })}
      />
      <Permissions given={given} fault={fault("permissions")} onChange={onChange} />
      <p className="soft">{words.never}</p>
      {bodyOf(given).permissions.includes("receipts:write") ? (
        <ReceiptFields given={given} fault={fault("receiving_account")} onChange={onChange} />
      ) : null}
      <Textarea
        label={all.optionally(words.ips)}
        description={words.ipsHint}
        autosize
        minRows={1}
        value={given.ips}
        error={fault("allowed_ips")}
        onChange={(event) => onChange({ ...given, ips: event.currentTarget.value })}
      />
      <TextInput
        type="date"
        label={all.optionally(words.until)}
        description={words.untilHint}
        min={dateOf(new Date(), zone)}
        value={given.until}
        error={fault("expires_at")}
        onChange={(event) => onChange({ ...given, until: event.currentTarget.value })}
      />
    </>
  );
}

/** A key that reports transfers specifies its account, with a warning while anyone who finds it could use it. */
function ReceiptFields({ given, fault, onChange }: { given: GivenKey; fault: string | undefined; onChange(given: GivenKey): void }) {
  const words = useWords(keyWords);
  const [channel] = useChannels();
  return (
    <>
      <TextInput
        label={words.account}
        description={words.accountHint}
        placeholder={channel === undefined ? "" : `${channel}:main`}
        maxLength={72}
        value={given.account}
        error={fault}
        onChange={(event) => onChange({ ...given, account: event.currentTarget.value })}
      />
      {given.ips.trim() === "" ? (
        <p className="ask-error" role="status">
          {words.unbound}
        </p>
      ) : null}
    </>
  );
}

function Permissions({ given, fault, onChange }: { given: GivenKey; fault: string | undefined; onChange(given: GivenKey): void }) {
  const words = useWords(keyWords);
  return (
    <>
      <Radio.Group
        label={words.permissions}
        error={fault}
        value={given.preset}
        onChange={(value) => onChange({ ...given, preset: value as Preset })}
      >
        <div className="form" style={{ paddingTop: 6 }}>
          {(Object.keys(presets) as Preset[]).map((one) => (
            <Radio key={one} value={one} label={words.presets[one]} description={words.presetText[one]} />
          ))}
        </div>
      </Radio.Group>
      {given.preset === "own" ? (
        <Checkbox.Group value={given.own} onChange={(own) => onChange({ ...given, own })} aria-label={words.permissions}>
          <div className="columns" style={{ gap: 8 }}>
            {[...everything, ...grave].map((one) => (
              <Checkbox key={one} value={one} label={<code>{one}</code>} />
            ))}
          </div>
        </Checkbox.Group>
      ) : null}
    </>
  );
}
