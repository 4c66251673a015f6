import { NumberInput, Radio, Switch, TextInput } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { Objects } from "../../data/client.ts";
import { sayError, useTell } from "../../data/errors.tsx";
import { useHere } from "../../data/here.tsx";
import { refresh } from "../../data/queries.ts";
import { Ask } from "../../parts/ask.tsx";
import { DropFile } from "../../parts/drop-file.tsx";
import { QrCode } from "../../parts/qr-code.tsx";
import { useLanguage, useWords } from "../../words/language.tsx";
import { shared } from "../../words/shared.ts";
import { codeWords } from "./codes.words.ts";
import { type IgnoreRule, IgnoreRules } from "./ignore-rules.tsx";
import type { Channel, Profile } from "./profile.ts";

type Asset = Objects["Asset"];
type Mode = Profile["matching"]["mode"];

const modes: Mode[] = ["exact", "remark", "unique_amount"];
const [fewest, most] = [5, 120];

/** The picture in, what was read in it, and how buyers are told apart. */
export function EditCode({ channel, profile, onClose }: { channel: Channel; profile: Profile | undefined; onClose(): void }) {
  const words = useWords(codeWords);
  const all = useWords(shared);
  const here = useHere();
  const queries = useQueryClient();
  const tell = useTell();
  const [asset, setAsset] = useState<Asset | null>(null);
  const [payee, setPayee] = useState(profile?.payee_name ?? "");
  const [mode, setMode] = useState<Mode>(profile?.matching.mode ?? "exact");
  const [minutes, setMinutes] = useState<number | string>(profile?.session_minutes ?? 30);
  // The version that this dialog was opened on: a change by somebody else meanwhile must not be overwritten.
  const [version] = useState(profile?.version);
  const [enabled, setEnabled] = useState(profile?.enabled ?? true);
  const [rules, setRules] = useState<IgnoreRule[]>(profile?.ignore_rules ?? []);
  const hasCode = profile !== undefined && (profile.qr_payload !== null || profile.qr_asset_id !== null);
  const save = async () => {
    await here.client.plain("PUT /api/v1/projects/{projectId}/collection-profiles/{channel}", {
      path: { projectId: here.project.id, channel },
      ...(version === undefined ? {} : { version }),
      body: {
        ...keptOf(profile),
        ...(asset === null ? codeOf(profile) : { qr_asset_id: asset.id }),
        payee_name: payee.trim() === "" ? null : payee.trim(),
        matching: { ...profile?.matching, mode },
        session_minutes: Number(minutes),
        ignore_rules: rules.filter((rule) => rule.text.trim() !== ""),
        enabled,
      },
    });
    void refresh(queries, here);
    tell.done(words.saved);
  };
  return (
    <Ask title={channel === "wechat" ? all.wechat : all.alipay} open onClose={onClose} does={all.save} onDo={save} disabled={!hasCode && asset === null}>
      <Upload asset={asset} replaces={hasCode} onAsset={setAsset} />
      <TextInput label={words.payee} description={words.payeeHint} maxLength={60} value={payee} onChange={(event) => setPayee(event.currentTarget.value)} />
      <Radio.Group label={words.matching} value={mode} onChange={(value) => setMode(value as Mode)}>
        <div className="form modes">
          {modes.map((one) => (
            <Radio key={one} value={one} label={words.modes[one]} description={words.modeText[one]} />
          ))}
        </div>
      </Radio.Group>
      <NumberInput label={words.minutes} min={fewest} max={most} value={minutes} onChange={setMinutes} allowDecimal={false} w={160} />
      <Switch label={words.enabled} checked={enabled} onChange={(event) => setEnabled(event.currentTarget.checked)} />
      <IgnoreRules rules={rules} onChange={setRules} />
      {here.livemode ? <p className="soft">{words.liveNote}</p> : null}
    </Ask>
  );
}

/** A profile is replaced whole: what this dialog does not show must go with it, or it would be lost. */
function keptOf(profile: Profile | undefined) {
  if (profile === undefined) return {};
  const { instructions, limits, account_ref } = profile;
  return { instructions, limits, account_ref };
}

/** The code that it has already. */
function codeOf(profile: Profile | undefined) {
  const { qr_asset_id = null, qr_payload = null } = profile ?? {};
  if (qr_payload !== null) return { qr_payload, qr_asset_id };
  return { qr_asset_id, allow_image_only: true };
}

function Upload({ asset, replaces, onAsset }: { asset: Asset | null; replaces: boolean; onAsset(asset: Asset): void }) {
  const words = useWords(codeWords);
  const here = useHere();
  const { language } = useLanguage();
  const [error, setError] = useState<string | null>(null);
  const send = (file: File) => {
    const body = new FormData();
    body.append("purpose", "collection_qr");
    body.append("file", file);
    setError(null);
    here.client
      .plain<Asset>("POST /api/v1/projects/{projectId}/assets/upload", { path: { projectId: here.project.id }, body })
      .then((read) => {
        if (read.decoded === null) setError(words.notDecoded);
        onAsset(read);
      })
      .catch((fault: unknown) => setError(sayError(fault, language)));
  };
  const payload = (asset?.decoded as { payload?: string } | null | undefined)?.payload;
  return (
    <>
      {payload === undefined ? null : (
        <div className="read-code">
          <QrCode text={payload} label={words.decoded} size={120} />
          <div>
            <strong>{words.decoded}</strong>
            <code translate="no">{payload}</code>
            <p className="soft">{words.redrawn}</p>
          </div>
        </div>
      )}
      <DropFile label={replaces || asset !== null ? words.replace : words.upload} accept="image/png,image/jpeg,image/webp" onFile={send} />
      <p className="soft drop-hint">{words.dropHint}</p>
      {error === null ? null : (
        <p className="ask-error" role="alert">
          {error}
        </p>
      )}
    </>
  );
}
