import { Drawer, UnstyledButton } from "@mantine/core";
import { IconDots } from "@tabler/icons-react";
import { useState } from "react";
import { useHere } from "../../data/here.tsx";
import { useWords } from "../../words/language.tsx";
import { shared } from "../../words/shared.ts";
import { shellWords } from "../../words/shell.words.ts";
import { entriesFor } from "./entries.ts";
import { PageList } from "./page-list.tsx";
import { ProjectSwitch } from "./project-switch.tsx";
import { NavLink, PageGroups } from "./rail.tsx";

/** On phones: the most used pages within reach of the thumb, the others one tap away. */
export function BottomBar() {
  const here = useHere();
  const words = useWords(shellWords);
  const all = useWords(shared);
  const [open, setOpen] = useState(false);
  const entries = entriesFor(here);
  return (
    <>
      <nav className="bottom-bar" aria-label={words.pages}>
        {entries
          .filter(({ thumb }) => thumb === true)
          .map((entry) => (
            <NavLink key={entry.path} entry={entry} />
          ))}
        <UnstyledButton className="nav-link" onClick={() => setOpen(true)}>
          <IconDots size={20} stroke={1.5} aria-hidden />
          <span>{words.more}</span>
        </UnstyledButton>
      </nav>
      <Drawer
        opened={open}
        onClose={() => setOpen(false)}
        position="bottom"
        size="85%"
        title={words.allPages}
        classNames={{ content: "menu", body: "menu-body" }}
        closeButtonProps={{ "aria-label": all.close }}
      >
        <ProjectSwitch />
        <PageList label={words.allPages} className="all-pages">
          <PageGroups onClick={() => setOpen(false)} />
        </PageList>
      </Drawer>
    </>
  );
}
