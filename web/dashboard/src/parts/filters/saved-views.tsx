import { ActionIcon, Button, Popover, TextInput } from "@mantine/core";
import { useLocalStorage } from "@mantine/hooks";
import { IconBookmark, IconTrash } from "@tabler/icons-react";
import { Link, useRouterState } from "@tanstack/react-router";
import { useState } from "react";
import { defineWords, useWords } from "../../words/language.tsx";
import { shared } from "../../words/shared.ts";
import { parseSearch } from "./search.ts";

const words = defineWords({
  en: { views: "Views", name: "View name", keep: "Save view" },
  zh: { views: "视图", name: "视图名称", keep: "保存当前视图" },
});

interface View {
  name: string;
  search: string;
}

/** Filters that a reader has saved, stored on this device. */
export function SavedViews({ name }: { name: string }) {
  const say = useWords(words);
  const all = useWords(shared);
  const [views, setViews] = useLocalStorage<View[]>({ key: `tillpost.views.${name}`, defaultValue: [] });
  const { pathname, searchStr } = useRouterState({ select: (state) => state.location });
  const [text, setText] = useState("");
  const [open, setOpen] = useState(false);
  const keep = () => {
    setViews([...views.filter((view) => view.name !== text.trim()), { name: text.trim(), search: searchStr }]);
    setText("");
  };
  return (
    <Popover position="bottom-end" shadow="md" radius="md" trapFocus opened={open} onChange={setOpen}>
      <Popover.Target>
        <Button
          variant="default"
          leftSection={<IconBookmark size={16} stroke={1.5} />}
          className="views-button"
          onClick={() => setOpen(!open)}
        >
          {say.views}
        </Button>
      </Popover.Target>
      <Popover.Dropdown p={4}>
        {views.map((view) => (
          <div key={view.name} className="view-line">
            <Link className="choice" to={pathname} search={parseSearch(view.search) as never} onClick={() => setOpen(false)}>
              {view.name}
            </Link>
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={all.about(all.remove, view.name)}
              onClick={() => setViews(views.filter((one) => one.name !== view.name))}
            >
              <IconTrash size={16} stroke={1.5} />
            </ActionIcon>
          </div>
        ))}
        <KeepForm text={text} onText={setText} onKeep={keep} />
      </Popover.Dropdown>
    </Popover>
  );
}

function KeepForm({ text, onText, onKeep }: { text: string; onText(text: string): void; onKeep(): void }) {
  const say = useWords(words);
  const isBlank = text.trim() === "";
  return (
    <form
      className="view-form"
      onSubmit={(event) => {
        event.preventDefault();
        if (!isBlank) onKeep();
      }}
    >
      <TextInput
        aria-label={say.name}
        placeholder={say.name}
        value={text}
        maxLength={40}
        onChange={(event) => onText(event.currentTarget.value)}
      />
      <Button type="submit" variant="default" disabled={isBlank}>
        {say.keep}
      </Button>
    </form>
  );
}
