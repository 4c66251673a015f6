import { useApi } from "../../data/queries.ts";
import { defineWords, useWords } from "../../words/language.tsx";
import { NoMailNote } from "./no-mail-note.tsx";

const operatorNoteWords = defineWords({
  en: {
    setAside: (list: string, release: string) =>
      `A job is set aside when workers crash or stall every time they run it. To list these jobs, run ${list} on the server; once you've fixed the cause, ${release} retries them.`,
    sendMail: (setting: string, show: string) => `Set ${setting} to relay or mx. Until then, read emails on the server with ${show}.`,
  },
  zh: {
    setAside: (list, release) =>
      `如果某个任务每次执行都导致工作进程崩溃或卡死，就会被搁置。可在服务器上运行 ${list} 查看这些任务；排除故障后，用 ${release} 重新执行。`,
    sendMail: (setting, show) => `请将 ${setting} 设为 relay 或 mx。在此之前，可在服务器上用 ${show} 查看邮件。`,
  },
});

/** How a command of Tillpost is run on this server; null until that is known. Only operators may read it. */
function useCommands(): ((command: string) => string) | null {
  const { data } = useApi("GET /api/admin/health", { cacheMs: Number.POSITIVE_INFINITY });
  return data === undefined ? null : (command) => `${data.command_prefix} ${command}`;
}

/** What an operator does about jobs that are no longer tried. */
export function SetAsideNote() {
  const words = useWords(operatorNoteWords);
  const run = useCommands();
  return run === null ? null : <p className="soft">{words.setAside(run("queues list"), run("queues release"))}</p>;
}

/** For operators: that this server sends no email, and what to do. */
export function OperatorMailNote() {
  return (
    <NoMailNote need="operator">
      <SendMail />
    </NoMailNote>
  );
}

function SendMail() {
  const words = useWords(operatorNoteWords);
  const run = useCommands();
  return run === null ? null : <p>{words.sendMail("EMAIL_TRANSPORT", run("mail show"))}</p>;
}
