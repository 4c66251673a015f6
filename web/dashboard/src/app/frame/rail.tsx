import { Link } from "@tanstack/react-router";
import { useHere } from "../../data/here.tsx";
import type { Group, NavEntry } from "../../features/feature.ts";
import { Mark } from "../../parts/shown/mark.tsx";
import { useLanguage, useWords } from "../../words/language.tsx";
import { shellWords } from "../../words/shell.words.ts";
import { entriesFor, groups } from "./entries.ts";
import { PageList } from "./page-list.tsx";
import { ProjectSwitch } from "./project-switch.tsx";

/** The left rail of wide screens. */
export function Rail() {
  const here = useHere();
  const words = useWords(shellWords);
  return (
    <aside className="rail">
      <Link to={here.to("/")} className="brand">
        <Mark /> Tillpost
      </Link>
      <ProjectSwitch />
      <PageList label={words.pages} className="rail-pages">
        <PageGroups />
      </PageList>
    </aside>
  );
}

/** Every page that the reader may open, in groups. */
export function PageGroups({ onClick }: { onClick?(): void }) {
  const here = useHere();
  const words = useWords(shellWords);
  const entries = entriesFor(here);
  const names: Record<Group, string> = {
    money: words.money,
    build: words.build,
    messages: words.messages,
    account: words.accountGroup,
    operator: words.operator,
  };
  return groups.map((group) => {
    const own = entries.filter((entry) => entry.group === group);
    return own.length === 0 ? null : (
      <div key={group} className="rail-group">
        <h2>{names[group]}</h2>
        <ul>
          {own.map((entry) => (
            <li key={entry.path}>
              <NavLink entry={entry} {...(onClick === undefined ? {} : { onClick })} />
            </li>
          ))}
        </ul>
      </div>
    );
  });
}

/** A link of the rail or the bottom bar, with the number of waiting items. */
export function NavLink({ entry, onClick }: { entry: NavEntry; onClick?(): void }) {
  const here = useHere();
  const { language } = useLanguage();
  const Icon = entry.icon;
  return (
    <Link
      to={here.to(entry.path)}
      className="nav-link"
      activeOptions={{ exact: entry.path === "/", includeSearch: false }}
      onClick={onClick}
    >
      <Icon size={20} stroke={1.5} aria-hidden />
      <span>{entry.label[language]}</span>
      {entry.useCount === undefined ? null : <Count useCount={entry.useCount} />}
    </Link>
  );
}

function Count({ useCount }: { useCount: NonNullable<NavEntry["useCount"]> }) {
  const waiting = useCount(useHere());
  return waiting === undefined || waiting === 0 ? null : <span className="count">{waiting > 99 ? "99+" : waiting}</span>;
}
