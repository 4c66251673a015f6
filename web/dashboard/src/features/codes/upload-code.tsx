import { TextInput } from "@mantine/core";
import { IconInfoCircle } from "@tabler/icons-react";
import { useState } from "react";
import { shrinkPicture } from "../../../../pictures/shrink-picture.ts";
import type { Objects } from "../../data/client.ts";
import { errorText } from "../../data/errors.tsx";
import { useHere } from "../../data/here.tsx";
import { DropFile } from "../../parts/fields/drop-file.tsx";
import { useGatewayName } from "../../parts/filters/gateways.ts";
import { QrCode } from "../../parts/shown/qr-code.tsx";
import { type Language, useLanguage, useWords } from "../../words/language.tsx";
import { refusals } from "../../words/refusals.ts";
import { codeWords } from "./codes.words.ts";
import type { Channel } from "./profile.ts";

type Asset = Objects["Asset"];
type ReadCode = Asset["decoded_codes"][number];

/** The given code: read from a picture, or pasted. */
export type Given = { asset: Asset; code: ReadCode } | { text: string };

const receiving: readonly string[] = ["personal", "business", "fixed_amount"];

/** The code in a picture that can be used for the channel, or the key of the sentence that says why there is none. */
function checkCode(asset: Asset, channel: Channel): ReadCode | keyof (typeof refusals)[Language] {
  const codes = asset.decoded_codes;
  const [code, second] = codes.filter((one) => one.channel === channel && receiving.includes(one.kind));
  if (second !== undefined || (codes.length === 0 && asset.decode_fault === "several_codes")) return "several_codes";
  if (code !== undefined) return code;
  const has = (test: (one: ReadCode) => boolean) => codes.some(test);
  if (codes.length === 0) return "qr_not_decodable";
  if (has(({ kind }) => kind === "payment_code")) return "qr_payment_code";
  if (has(({ kind }) => kind === "order")) return "qr_order_bound";
  if (has(({ kind }) => kind === "red_packet")) return "red_packet";
  if (has(({ kind }) => receiving.includes(kind))) return "other_channel";
  return has(({ kind }) => kind === "other_page") ? "not_receiving" : "other_content";
}

interface UploadCodeProps {
  channel: Channel;
  given: Given | null;
  /** There already is a code. */
  replaces: boolean;
  onGiven(given: Given | null): void;
}

/** Takes a picture and shows what was read from it; or takes the code's pasted text. */
export function UploadCode({ channel, given, replaces, onGiven }: UploadCodeProps) {
  const words = useWords(codeWords);
  const here = useHere();
  const { language } = useLanguage();
  const [error, setError] = useState<string | null>(null);
  const take = (asset: Asset) => {
    const found = checkCode(asset, channel);
    if (typeof found !== "string") return onGiven({ asset, code: found });
    setError(refusals[language][found]);
    onGiven(null);
  };
  const send = async (file: File) => {
    setError(null);
    const body = new FormData();
    body.append("purpose", "collection_qr");
    body.append("file", (await shrinkPicture(file)) ?? file);
    take(await here.client.plain<Asset>("POST /api/v1/projects/{projectId}/assets/upload", { path: { projectId: here.project.id }, body }));
  };
  const text = given !== null && "text" in given ? given.text : "";
  return (
    <>
      {given !== null && "code" in given ? <ReadNote channel={channel} asset={given.asset} code={given.code} /> : null}
      <DropFile
        label={replaces || given !== null ? words.replace : words.upload}
        accept="image/png,image/jpeg,image/webp"
        onFile={(file) => {
          onGiven(null);
          send(file).catch((fault: unknown) => setError(errorText(fault, language)));
        }}
      />
      <p className="soft drop-hint">{words.dropHint}</p>
      {error === null ? null : (
        <p className="ask-error" role="alert">
          {error}
        </p>
      )}
      <TextInput
        label={words.paste}
        description={words.pasteHints[channel]}
        maxLength={500}
        value={text}
        onChange={(event) => {
          setError(null);
          onGiven(event.currentTarget.value.trim() === "" ? null : { text: event.currentTarget.value });
        }}
      />
    </>
  );
}

function ReadNote({ channel, asset, code }: { channel: Channel; asset: Asset; code: ReadCode }) {
  const words = useWords(codeWords);
  const nameOf = useGatewayName();
  return (
    <>
      <div className="read-code">
        <QrCode text={code.payload} label={words.decoded} size={120} />
        <div>
          <strong>{words.decoded}</strong>
          <code translate="no">{code.payload}</code>
          <p className="soft">
            {asset.decoded_codes.length > 1 ? `${words.oneOfSeveral(nameOf(channel))} ` : ""}
            {words.redrawn}
          </p>
        </div>
      </div>
      <KindNote kind={code.kind} />
    </>
  );
}

/** What it means that a code isn't an ordinary personal one. */
export function KindNote({ kind }: { kind: string | null }) {
  const words = useWords(codeWords);
  const text = kind === "business" ? words.business : kind === "fixed_amount" ? words.fixedAmount : null;
  if (text === null) return null;
  return (
    <p className="note" data-tone={kind === "business" ? "plain" : undefined}>
      <IconInfoCircle size={18} stroke={1.5} aria-hidden />
      <span>{text}</span>
    </p>
  );
}
