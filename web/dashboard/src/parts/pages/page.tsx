import { Button, Skeleton } from "@mantine/core";
import { useDocumentTitle } from "@mantine/hooks";
import { IconRefresh } from "@tabler/icons-react";
import { type ReactNode, use } from "react";
import { ApiError } from "../../data/client.ts";
import { errorText } from "../../data/errors.tsx";
import { HereContext } from "../../data/here.tsx";
import { useLanguage, useWords } from "../../words/language.tsx";
import { shared } from "../../words/shared.ts";
import { shellWords } from "../../words/shell.words.ts";

export interface PageProps {
  title: string;
  /** Next to the title: a status, a number. */
  aside?: ReactNode;
  /** What can be done here. */
  actions?: ReactNode;
  /** A link back, above the title. */
  back?: ReactNode;
  children: ReactNode;
}

/** One screen: its title is also the tab's, with the environment before it in TEST, so that tabs can't be mixed up. */
export function Page({ title, aside, actions, back, children }: PageProps) {
  const words = useWords(shellWords);
  const test = use(HereContext)?.livemode === false;
  useDocumentTitle(`${test ? `${words.test} · ` : ""}${title} · Tillpost`);
  return (
    <main id="main" className="page" tabIndex={-1}>
      {back}
      <header className="page-head">
        <div className="page-title">
          <h1>{title}</h1>
          {aside}
        </div>
        {actions === undefined ? null : <div className="page-actions">{actions}</div>}
      </header>
      {children}
    </main>
  );
}

interface Read<T> {
  data: T | undefined;
  error: unknown;
  refetch(): unknown;
}

/**
 * Shows loaded data; before that its skeleton, and a way to try again if loading failed, unless the data doesn't exist or the reader's role
 * can't view it.
 */
export function Loaded<T>({ read, skeleton, children }: { read: Read<T>; skeleton?: ReactNode; children(data: T): ReactNode }) {
  if (read.data !== undefined) return children(read.data);
  if (read.error !== null) return <Trouble error={read.error} again={() => void read.refetch()} />;
  return skeleton ?? <RowSkeletons count={6} />;
}

export function Trouble({ error, again }: { error: unknown; again(): void }) {
  const words = useWords(shared);
  const { language } = useLanguage();
  const missing = error instanceof ApiError && (error.status === 404 || error.status === 410);
  const denied = error instanceof ApiError && error.code === "permission_denied";
  if (missing || denied) {
    return (
      <div className="trouble" role="alert">
        <h2>{denied ? words.noAccess : words.notFound}</h2>
        <p className="soft">{denied ? words.noAccessText : errorText(error, language)}</p>
      </div>
    );
  }
  return (
    <div className="trouble" role="alert">
      <h2>{words.lost}</h2>
      <p className="soft">{errorText(error, language)}</p>
      <Button variant="default" leftSection={<IconRefresh size={16} stroke={1.5} />} onClick={again}>
        {words.again}
      </Button>
    </div>
  );
}

export function RowSkeletons({ count }: { count: number }) {
  const words = useWords(shared);
  return (
    <div className="skeletons" role="status" aria-label={words.loading}>
      {Array.from({ length: count }, (_none, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they are all alike
        <Skeleton key={index} height={20} width={`${92 - ((index * 17) % 40)}%`} radius="sm" />
      ))}
    </div>
  );
}

/** An empty state, and the one action that fills it. */
export function Empty({ title, text, children }: { title: string; text?: ReactNode; children?: ReactNode }) {
  return (
    <div className="empty">
      <svg viewBox="0 0 48 48" aria-hidden="true">
        <rect x="6" y="10" width="36" height="28" rx="6" />
        <path d="M6.5 26.5h10l3 5h9l3-5h10" />
      </svg>
      <h2>{title}</h2>
      {text === undefined ? null : <p className="soft">{text}</p>}
      {children}
    </div>
  );
}

/** A part of a page with its own heading. */
export function Section({ title, actions, children }: { title: string; actions?: ReactNode; children: ReactNode }) {
  return (
    <section className="section">
      <header>
        <h2>{title}</h2>
        {actions}
      </header>
      {children}
    </section>
  );
}
