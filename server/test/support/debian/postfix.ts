import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { listening } from "#test/support/network/listening.ts";

/** A Postfix for one test: separate folders, one port on loopback, in the foreground. */
export interface Postfix {
  port: number;
  folder: string;
  log(): string;
  stop(): Promise<void>;
}

export interface PostfixOptions {
  port: number;
  /** Lines of main.cf. */
  settings?: Record<string, string>;
  /** More services of master.cf. */
  services?: string[];
  /** Files next to main.cf, by name. */
  files?: Record<string, string>;
}

const services = (port: number) => [
  `127.0.0.1:${port} inet n - n - - smtpd`,
  "cleanup unix n - n - 0 cleanup",
  "qmgr unix n - n 300 1 qmgr",
  "rewrite unix - - n - - trivial-rewrite",
  "bounce unix - - n - 0 bounce",
  "defer unix - - n - 0 bounce",
  "trace unix - - n - 0 bounce",
  "verify unix - - n - 1 verify",
  "flush unix n - n 1000? 0 flush",
  "smtp unix - - n - - smtp",
  "showq unix n - n - - showq",
  "error unix - - n - - error",
  "retry unix - - n - - error",
  "discard unix - - n - - discard",
  "virtual unix - n n - - virtual",
  "anvil unix - - n - 1 anvil",
  "postlog unix-dgram n - n - 1 postlogd",
];

/** Starts one and waits until it listens. Needs root, as Postfix does. */
export async function startPostfix(options: PostfixOptions): Promise<Postfix> {
  const folder = mkdtempSync(join(tmpdir(), "tillpost-postfix-"));
  chmodSync(folder, 0o755);
  const conf = writeConf(folder, options);
  execFileSync("/usr/sbin/postfix", ["-c", conf, "check"], { stdio: "ignore" });
  const child = spawn("/usr/sbin/postfix", ["-c", conf, "start-fg"], { stdio: "ignore" });
  const log = () => (existsSync(join(folder, "mail.log")) ? readFileSync(join(folder, "mail.log"), "utf8") : "");
  try {
    await listening(options.port);
  } catch (error) {
    child.kill("SIGTERM");
    throw new Error(`Postfix did not start:\n${log()}`, { cause: error });
  }
  return {
    port: options.port,
    folder,
    log,
    async stop() {
      const ended = once(child, "close");
      // In the foreground it passes no signal on to its master, so it is stopped by its own command.
      try {
        execFileSync("/usr/sbin/postfix", ["-c", conf, "stop"], { stdio: "ignore" });
      } catch {
        child.kill("SIGTERM");
      }
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function writeConf(folder: string, { port, settings = {}, services: more = [], files = {} }: PostfixOptions): string {
  const [user, group] = ["-u", "-g"].map((what) => Number(execFileSync("id", [what, "postfix"], { encoding: "utf8" }))) as [number, number];
  const conf = join(folder, "conf");
  for (const name of ["conf", "spool", "data", "mail"]) mkdirSync(join(folder, name));
  for (const name of ["data", "mail"]) chownSync(join(folder, name), user, 0);
  for (const [name, text] of Object.entries(files)) writeFileSync(join(conf, name), text);
  const lines = Object.entries({ ...mainOf(folder, { user, group }), ...settings }).map(([name, value]) => `${name} = ${value}\n`);
  writeFileSync(join(conf, "main.cf"), lines.join(""));
  writeFileSync(join(conf, "master.cf"), `${[...services(port), ...more].join("\n")}\n`);
  return conf;
}

function mainOf(folder: string, { user, group }: { user: number; group: number }): Record<string, string> {
  return {
    compatibility_level: "3.6",
    queue_directory: join(folder, "spool"),
    data_directory: join(folder, "data"),
    maillog_file: join(folder, "mail.log"),
    maillog_file_prefixes: folder,
    myhostname: "mx.example.com",
    mydestination: "",
    mynetworks: "127.0.0.0/8",
    inet_interfaces: "loopback-only",
    inet_protocols: "ipv4",
    smtp_dns_support_level: "disabled",
    smtp_tls_security_level: "none",
    smtputf8_enable: "no",
    smtpd_peername_lookup: "no",
    smtpd_client_connection_count_limit: "0",
    alias_maps: "",
    alias_database: "",
    local_recipient_maps: "",
    virtual_mailbox_base: join(folder, "mail"),
    virtual_uid_maps: `static:${user}`,
    virtual_gid_maps: `static:${group}`,
    virtual_minimum_uid: "1",
  };
}
