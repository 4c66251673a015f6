import { Button } from "@mantine/core";
import { IconInfoCircle } from "@tabler/icons-react";
import { useState } from "react";
import { useHere } from "../../data/here.tsx";
import { useApi } from "../../data/queries.ts";
import { useChannels, useGatewayName } from "../../parts/filters/gateways.ts";
import { ownAddress } from "../../parts/own-address.ts";
import { Facts } from "../../parts/pages/object-page.tsx";
import { Loaded, Page } from "../../parts/pages/page.tsx";
import { QrCode } from "../../parts/shown/qr-code.tsx";
import { Badge } from "../../parts/shown/status.tsx";
import { spanText, When } from "../../parts/shown/when.tsx";
import { useLanguage, useWords } from "../../words/language.tsx";
import { shared } from "../../words/shared.ts";
import { hasAccounts } from "./account.tsx";
import { CrowdedPrices, OfferAmounts } from "./amounts.tsx";
import "./codes.css";
import { codeWords } from "./codes.words.ts";
import { EditCode } from "./edit-code.tsx";
import { type Channel, hasCode, type Profile } from "./profile.ts";
import { KindNote } from "./upload-code.tsx";

const minuteMs = 60_000;

export default function CodesPage() {
  const words = useWords(codeWords);
  const read = useApi("GET /api/v1/projects/{projectId}/collection-profiles");
  const channels = useChannels();
  const [editing, setEditing] = useState<Channel | null>(null);
  const of = (profiles: Profile[], channel: Channel) => profiles.find((one) => one.channel === channel);
  return (
    <Page title={words.title}>
      <p className="soft">{words.text}</p>
      <Loaded read={read}>
        {({ data }) => (
          <>
            <div className="columns">
              {channels.map((channel) => (
                <CodeCard key={channel} channel={channel} profile={of(data, channel)} onEdit={() => setEditing(channel)} />
              ))}
            </div>
            {editing === null ? null : (
              <EditCode key={editing} channel={editing} profile={of(data, editing)} onClose={() => setEditing(null)} />
            )}
          </>
        )}
      </Loaded>
      <p className="note" data-tone="plain">
        <IconInfoCircle size={18} stroke={1.5} aria-hidden />
        <span>
          <strong>{words.noticeTitle}</strong>
          {words.notice}
        </span>
      </p>
    </Page>
  );
}

function CodeCard({ channel, profile, onEdit }: { channel: Channel; profile: Profile | undefined; onEdit(): void }) {
  const words = useWords(codeWords);
  const all = useWords(shared);
  const here = useHere();
  const { locale } = useLanguage();
  const name = useGatewayName()(channel);
  const isSet = hasCode(profile);
  const state = !isSet ? words.notSet : profile.enabled ? words.set : words.off;
  return (
    <section className="card code-card">
      <div className="spread">
        <h2>{name}</h2>
        <Badge tone={isSet && profile.enabled ? "paid" : "expired"}>{state}</Badge>
      </div>
      {isSet ? (
        <>
          <CodePicture profile={profile} label={words.preview(name)} />
          <Facts
            facts={[
              profile.payee_name === null ? null : { label: words.payee, value: profile.payee_name },
              hasAccounts(here, profile) ? { label: words.account, value: profile.account_ref } : null,
              { label: words.matching, value: words.modes[profile.matching.mode] },
              { label: words.time, value: spanText(locale, profile.session_minutes * minuteMs) },
              { label: all.updated, value: <When at={profile.updated_at} /> },
            ]}
          />
          <KindNote kind={profile.code_kind} />
        </>
      ) : null}
      {isSet && profile.enabled ? <CrowdedPrices profile={profile} /> : null}
      {isSet && profile.enabled ? <OfferAmounts profile={profile} /> : null}
      {here.may("codes") ? (
        <Button variant={isSet ? "default" : "filled"} onClick={onEdit}>
          {isSet ? all.edit : words.upload}
        </Button>
      ) : (
        <p className="soft">{words.readOnly}</p>
      )}
    </section>
  );
}

function CodePicture({ profile, label }: { profile: Profile; label: string }) {
  if (profile.qr_payload !== null) return <QrCode text={profile.qr_payload} label={label} size={176} />;
  return profile.qr_image_url === null ? null : <img className="picture" src={ownAddress(profile.qr_image_url)} alt={label} width={176} />;
}
