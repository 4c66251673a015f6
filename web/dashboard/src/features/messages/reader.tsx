import { Button, SegmentedControl } from "@mantine/core";
import { IconDownload } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import type { Objects } from "../../data/client.ts";
import { useHere } from "../../data/here.tsx";
import { keyOf } from "../../data/queries.ts";
import { nonce } from "../../look/nonce.ts";
import { saveFile } from "../../parts/files/save-file.ts";
import { Loaded } from "../../parts/pages/page.tsx";
import { CodeBlock } from "../../parts/shown/raw-json.tsx";
import { verificationOf } from "../../parts/verification-of.ts";
import { useWords } from "../../words/language.tsx";
import { messageWords } from "./messages.words.ts";
import { renderPreview } from "./render-preview.ts";

type Email = Objects["Email"];
type Part = "html" | "text" | "source";

const every = ["html", "text", "source"] as const;

/** A message's body: as a recipient sees it, as plain text, or as the bytes that are sent. */
export function Reader({ email, parts = every }: { email: Email; parts?: readonly Part[] }) {
  const words = useWords(messageWords);
  const [part, setPart] = useState<Part>(email.html === null ? "text" : "html");
  if (email.body_expired) return <p className="soft">{verificationOf(email) === null ? words.noBody : words.codeBody}</p>;
  if (email.body_withheld) return <p className="soft">{words.withheld}</p>;
  return (
    <div className="reader">
      <SegmentedControl
        value={part}
        onChange={(value) => setPart(value as Part)}
        data={parts.map((value) => ({ value, label: words[value] }))}
      />
      {part === "html" ? <Shown email={email} /> : null}
      {part === "text" ? <Plain text={email.text} /> : null}
      {part === "source" ? <Source id={email.id} /> : null}
    </div>
  );
}

function Shown({ email }: { email: Email }) {
  const words = useWords(messageWords);
  const { html, subject } = email;
  const document = useMemo(() => (html === null ? null : renderPreview(html, nonce)), [html]);
  if (document === null) return <p className="soft">{words.noPart}</p>;
  return (
    <>
      <iframe
        className="mail-frame"
        data-short={isShort(email)}
        sandbox=""
        srcDoc={document}
        title={subject === "" ? words.message : subject}
        referrerPolicy="no-referrer"
      />
      <p className="soft">{words.noPictures}</p>
    </>
  );
}

/**
 * A short text without images leaves most of the usual height empty. Its frame still scrolls if it needs to. The HTML isn't parsed for that
 * in this page, whose content policy would report its styles.
 */
function isShort({ html, text }: Pick<Email, "html" | "text">): boolean {
  return text !== null && text.trim().length < 280 && !/<(?:img|table)\b/i.test(html ?? "");
}

function Plain({ text }: { text: string | null }) {
  const words = useWords(messageWords);
  return text === null ? <p className="soft">{words.noPart}</p> : <CodeBlock label={words.text} text={text} />;
}

const shownLength = 100_000;

function Source({ id }: { id: string }) {
  const words = useWords(messageWords);
  const here = useHere();
  const route = "GET /v1/emails/{id}/source";
  const read = useQuery({
    queryKey: keyOf(here, route, { id }),
    queryFn: async ({ signal }) => (await here.client.open(route, { path: { id }, headers: { accept: "message/rfc822" }, signal })).text(),
    staleTime: Number.POSITIVE_INFINITY,
  });
  return (
    <Loaded read={read}>
      {(source) => (
        <>
          <CodeBlock label={words.source} text={source.slice(0, shownLength)} />
          {source.length > shownLength ? <p className="soft">{words.cut}</p> : null}
          <div>
            <Button
              variant="default"
              leftSection={<IconDownload size={16} stroke={1.5} />}
              onClick={() => saveFile(`${id}.eml`, new Blob([source], { type: "message/rfc822" }))}
            >
              {words.download}
            </Button>
          </div>
        </>
      )}
    </Loaded>
  );
}

/** The lines above a message: from, to, and subject. */
export function Letterhead({ email }: { email: Email }) {
  const words = useWords(messageWords);
  const lines: [string, string[]][] = [
    [words.from, [email.from]],
    [words.to, [email.to].flat()],
    [words.cc, email.cc],
    [words.bcc, email.bcc],
    [words.replyTo, email.reply_to],
  ];
  return (
    <dl className="letterhead">
      {lines
        .filter(([, addresses]) => addresses.length > 0)
        .map(([label, addresses]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{addresses.join(", ")}</dd>
          </div>
        ))}
    </dl>
  );
}
