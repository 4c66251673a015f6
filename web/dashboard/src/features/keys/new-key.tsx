import { Checkbox, Radio, Textarea, TextInput } from "@mantine/core";
import { useState } from "react";
import { useHere } from "../../data/here.tsx";
import { useAct } from "../../data/queries.ts";
import { Ask } from "../../parts/ask.tsx";
import { useWords } from "../../words/language.tsx";
import { shared } from "../../words/shared.ts";
import type { ApiKey } from "./api-key.ts";
import { keyWords } from "./keys.words.ts";

const shop = ["orders:read", "orders:write", "payments:read", "payments:write", "webhooks:read", "webhooks:write"];
const messages = ["emails", "sms", "calls", "domains", "suppressions"].flatMap((name) => [`${name}:read`, `${name}:write`]);
const grave = ["collection_profiles:write", "reviews:write", "refunds:write"];
const everything = [...shop, ...messages];
const presets = { shop, all: everything, read: everything.filter((name) => name.endsWith(":read")), own: [] as string[] };

type Preset = keyof typeof presets;

/** A key by a preset or by single permissions; its secret is shown once. */
export function NewKey({ open, onClose, onMade }: { open: boolean; onClose(): void; onMade(key: ApiKey): void }) {
  const words = useWords(keyWords);
  const all = useWords(shared);
  const here = useHere();
  const [name, setName] = useState("");
  const [preset, setPreset] = useState<Preset>("shop");
  const [own, setOwn] = useState<string[]>(shop);
  const [ips, setIps] = useState("");
  const act = useAct<ApiKey>("POST /api/v1/projects/{projectId}/api-keys", { onRefused: () => true });
  const permissions = preset === "own" ? own : presets[preset];
  const create = async () => {
    const allowed_ips = ips.split(/[\s,]+/).filter((one) => one !== "");
    const body = { name: name.trim(), permissions, environment: here.livemode ? "live" : "test", ...(allowed_ips.length === 0 ? {} : { allowed_ips }) };
    onMade(await act.mutateAsync({ body }));
    setName("");
  };
  return (
    <Ask title={words.create} open={open} onClose={onClose} does={all.create} onDo={create} disabled={name.trim() === "" || permissions.length === 0}>
      <TextInput
        label={words.name}
        description={words.nameHint}
        maxLength={80}
        data-autofocus
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <Permissions preset={preset} own={own} onPreset={setPreset} onOwn={setOwn} />
      <p className="soft">{words.never}</p>
      <Textarea
        label={`${words.ips} (${all.optional})`}
        description={words.ipsHint}
        autosize
        minRows={1}
        value={ips}
        onChange={(event) => setIps(event.currentTarget.value)}
      />
    </Ask>
  );
}

interface PermissionsProps {
  preset: Preset;
  own: string[];
  onPreset(preset: Preset): void;
  onOwn(names: string[]): void;
}

function Permissions({ preset, own, onPreset, onOwn }: PermissionsProps) {
  const words = useWords(keyWords);
  return (
    <>
      <Radio.Group label={words.permissions} value={preset} onChange={(value) => onPreset(value as Preset)}>
        <div className="form" style={{ paddingTop: 6 }}>
          {(Object.keys(presets) as Preset[]).map((one) => (
            <Radio key={one} value={one} label={words.presets[one]} description={words.presetText[one]} />
          ))}
        </div>
      </Radio.Group>
      {preset === "own" ? (
        <Checkbox.Group value={own} onChange={onOwn} aria-label={words.permissions}>
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
