import { ActionIcon, Button, Menu, TextInput } from "@mantine/core";
import { useLocalStorage } from "@mantine/hooks";
import { IconBookmark, IconTrash } from "@tabler/icons-react";
import { Link, useRouterState } from "@tanstack/react-router";
import { useState } from "react";
import { defineWords, useWords } from "../words/language.tsx";
import { shared } from "../words/shared.ts";
import { parseSearch } from "./search.ts";

const words = defineWords({ views: "Views", name: "Name of this view", keep: "Keep this view" }, { views: "视图", name: "视图名称", keep: "保存当前视图" });

interface View {
  name: string;
  search: string;
}

/** Filters that a reader wants again, kept on this device. */
export function SavedViews({ name }: { name: string }) {
  const say = useWords(words);
  const all = useWords(shared);
  const [views, setViews] = useLocalStorage<View[]>({ key: `tillpost.views.${name}`, defaultValue: [] });
  const { pathname, searchStr } = useRouterState({ select: (state) => state.location });
  const [text, setText] = useState("");
  const keep = () => {
    setViews([...views.filter((view) => view.name !== text.trim()), { name: text.trim(), search: searchStr }]);
    setText("");
  };
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button variant="default" leftSection={<IconBookmark size={16} stroke={1.5} />} className="views-button">
          {say.views}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {views.map((view) => (
          <div key={view.name} className="view-line">
            <Menu.Item component={Link} to={pathname} search={parseSearch(view.search) as never}>
              {view.name}
            </Menu.Item>
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={`${all.remove}: ${view.name}`}
              onClick={() => setViews(views.filter((one) => one.name !== view.name))}
            >
              <IconTrash size={16} stroke={1.5} />
            </ActionIcon>
          </div>
        ))}
        <form
          className="view-form"
          onSubmit={(event) => {
            event.preventDefault();
            if (text.trim() !== "") keep();
          }}
        >
          <TextInput aria-label={say.name} placeholder={say.name} value={text} maxLength={40} onChange={(event) => setText(event.currentTarget.value)} />
          <Button type="submit" variant="default" disabled={text.trim() === ""}>
            {say.keep}
          </Button>
        </form>
      </Menu.Dropdown>
    </Menu>
  );
}
