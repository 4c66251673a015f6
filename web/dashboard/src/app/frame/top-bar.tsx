import { ActionIcon, Menu, Tooltip, UnstyledButton, useMantineColorScheme } from "@mantine/core";
import {
  IconCheck,
  IconDeviceDesktop,
  IconLanguage,
  IconLogout,
  IconMoon,
  IconSearch,
  IconShieldLock,
  IconSun,
  IconUser,
} from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { plainClient } from "../../data/client.ts";
import { useHere } from "../../data/here.tsx";
import { languages, useLanguage, useWords } from "../../words/language.tsx";
import { shellWords } from "../../words/shell.words.ts";
import { EnvironmentSwitch, ProjectSwitch } from "./project-switch.tsx";

/** Above every screen: project (on phones), TEST or LIVE, search, and the reader's own menu. */
export function TopBar({ live, onSearch }: { live: boolean; onSearch(): void }) {
  const here = useHere();
  const words = useWords(shellWords);
  return (
    <>
      <section className="top-bar" aria-label={words.topBar}>
        <div className="top-project">
          <ProjectSwitch />
        </div>
        <UnstyledButton className="find" onClick={onSearch} aria-keyshortcuts="Control+K">
          <IconSearch size={16} stroke={1.5} aria-hidden />
          <span>{words.find}</span>
          <kbd>Ctrl K</kbd>
        </UnstyledButton>
        <span className="top-gap" />
        <Tooltip label={live ? words.liveOn : words.liveOff}>
          <span className="live-dot" data-live={live} role="img" aria-label={live ? words.liveOn : words.liveOff} />
        </Tooltip>
        <EnvironmentSwitch />
        <OwnMenu />
      </section>
      {here.livemode && here.membership !== null && here.membership.verification_status !== "verified" ? (
        <section className="strip" aria-label={words.verification}>
          {here.membership.verification_status === "pending" ? words.notVerified : words.rejected}{" "}
          <Link to={here.to("/settings")} hash="verification">
            {words.seeVerification}
          </Link>
        </section>
      ) : null}
    </>
  );
}

function OwnMenu() {
  const here = useHere();
  const words = useWords(shellWords);
  return (
    <Menu position="bottom-end" width={240}>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size={36} aria-label={words.account} className="quiet-icon">
          <IconUser size={20} stroke={1.5} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{here.me.email}</Menu.Label>
        <Menu.Item component={Link} to={here.to("/security")} leftSection={<IconShieldLock size={16} stroke={1.5} />}>
          {words.account}
        </Menu.Item>
        <Menu.Divider />
        <Choices />
        <Menu.Divider />
        <Menu.Item leftSection={<IconLogout size={16} stroke={1.5} />} onClick={() => void signOut()}>
          {words.signOut}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

const schemes = [
  ["light", IconSun],
  ["dark", IconMoon],
  ["auto", IconDeviceDesktop],
] as const;

/** Color scheme and language, stored on this device. */
function Choices() {
  const words = useWords(shellWords);
  const { language, choose } = useLanguage();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const tick = (chosen: boolean) => (chosen ? <IconCheck size={16} stroke={1.5} /> : null);
  return (
    <>
      <Menu.Label>{words.theme}</Menu.Label>
      {schemes.map(([scheme, SchemeIcon]) => (
        <Menu.Item
          key={scheme}
          leftSection={<SchemeIcon size={16} stroke={1.5} />}
          rightSection={tick(colorScheme === scheme)}
          onClick={() => setColorScheme(scheme)}
        >
          {words[scheme]}
        </Menu.Item>
      ))}
      <Menu.Divider />
      <Menu.Label>{words.language}</Menu.Label>
      {languages.map(({ tag, html, name }) => (
        <Menu.Item
          key={tag}
          leftSection={<IconLanguage size={16} stroke={1.5} />}
          rightSection={tick(language === tag)}
          onClick={() => choose(tag)}
          lang={html}
        >
          {name}
        </Menu.Item>
      ))}
    </>
  );
}

/** Leaves no data of the last reader in this tab: reloads the page. */
async function signOut(): Promise<void> {
  await plainClient.plain("POST /api/auth/sign-out", { body: {} }).catch(() => {});
  location.assign("/dashboard/sign-in");
}
