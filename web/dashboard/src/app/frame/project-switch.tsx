import { Menu, UnstyledButton } from "@mantine/core";
import { IconCheck, IconPlus, IconSelector } from "@tabler/icons-react";
import { Link, useNavigate } from "@tanstack/react-router";
import { plainClient } from "../../data/client.ts";
import { useHere } from "../../data/here.tsx";
import { leadsAt } from "../../data/session.ts";
import { useWords } from "../../words/language.tsx";
import { shellWords } from "../../words/shell.words.ts";

/** The project of the page, and the others. */
export function ProjectSwitch() {
  const here = useHere();
  const words = useWords(shellWords);
  return (
    <Menu position="bottom-start" width="target">
      <Menu.Target>
        <UnstyledButton className="project-switch">
          <span className="unseen">{words.switchProject}</span>
          <span className="project-letter" aria-hidden="true">
            {[...here.project.name][0]?.toUpperCase()}
          </span>
          <span className="project-name">{here.project.name}</span>
          <IconSelector size={16} stroke={1.5} aria-hidden />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        {here.me.projects.map((project) => (
          <Menu.Item
            key={project.id}
            component={Link}
            to={`/${project.path}/${here.livemode ? "live" : "test"}`}
            onClick={() => remember("/projects/active", { project_id: project.id })}
            rightSection={project.id === here.project.id ? <IconCheck size={16} stroke={1.5} /> : null}
          >
            {project.name}
          </Menu.Item>
        ))}
        {leadsAt(here.me).length > 0 ? (
          <>
            <Menu.Divider />
            <Menu.Item component={Link} to={here.to("/new-project")} leftSection={<IconPlus size={16} stroke={1.5} />}>
              {words.newProject}
            </Menu.Item>
          </>
        ) : null}
      </Menu.Dropdown>
    </Menu>
  );
}

/** TEST or LIVE: two words, the chosen one filled. */
export function EnvironmentSwitch() {
  const here = useHere();
  const words = useWords(shellWords);
  const navigate = useNavigate();
  const choose = (environment: "test" | "live") => {
    if ((environment === "live") === here.livemode) return;
    remember("/projects/active-environment", { environment: environment.toUpperCase() });
    void navigate({ to: `/${here.project.path}/${environment}` });
  };
  return (
    <fieldset className="environment-switch" data-live={here.livemode}>
      <legend className="unseen">{words.environment}</legend>
      {(["test", "live"] as const).map((one) => (
        <UnstyledButton key={one} aria-pressed={(one === "live") === here.livemode} onClick={() => choose(one)} data-one={one}>
          {one === "test" ? words.test : words.live}
        </UnstyledButton>
      ))}
    </fieldset>
  );
}

/** Where the next sign-in starts. The URL decides what this page shows, so a failure here does no harm. */
function remember(path: string, body: unknown): void {
  void plainClient.plain(`POST /api/v1${path}`, { body }).catch(() => {});
}
