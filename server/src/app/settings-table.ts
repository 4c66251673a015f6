import Type from "typebox";
import { callSettings } from "./settings/calls.ts";
import { inGroup, type Setting, secret } from "./settings/setting.ts";
import { telephoneSettings } from "./settings/telephone.ts";
import {
  addressFault,
  capsFault,
  databaseFault,
  domainFault,
  gatewayUrlsFault,
  heloFault,
  hostFault,
  hostsFault,
  instantFault,
  masterKeysFault,
  originFault,
  paceFault,
  proxiesFault,
  quotasFault,
  rangesFault,
  recipientFault,
  redisFault,
  relayFault,
  tiersFault,
} from "./settings-faults.ts";

const integer = (minimum: number, maximum: number) => Type.Integer({ minimum, maximum });
const text = Type.String({ minLength: 1 });
const list = Type.Array(Type.String({ minLength: 1 }));
const choice = <const Names extends string[]>(names: Names) => Type.Enum(names);
const perMinute = integer(1, 1_000_000);

const server = inGroup("Server");
const data = inGroup("Data");
const backups = inGroup("Backups");
const limits = inGroup("Limits");
const contract = inGroup("Interface");
const mail = inGroup("Email");
const running = inGroup("Operation");

/** Every setting, by the name of its environment variable. The code, `docs/settings.md` and `.env.example` all follow from this table. */
export const settingsTable = {
  PORT: server(integer(1, 65_535), 8080, "Port of the HTTP server."),
  HOST: server(text, "localhost", "Address that the HTTP server listens on. `localhost` is the loopback of both address families; `0.0.0.0` is every network."),
  WORKER_PORT: server(
    integer(1, 65_535),
    null,
    "Port on which a `worker` answers `/healthz`, `/readyz` and `/metrics`, and nothing else. Without it a worker listens nowhere.",
  ),
  DRAIN_SECONDS: server(
    integer(0, 600),
    0,
    "How long a process that was asked to stop answers 503 on `/readyz` and keeps serving, so a load balancer can send requests elsewhere. After that it accepts no new connections.",
  ),
  WORKER_HOST: server(text, "localhost", "Address that a `worker` listens on, when it has a port."),
  PUBLIC_URL: server(
    text,
    null,
    "Address that buyers and merchants reach this server by, as it stands in payment links. Without it: `http://localhost:<PORT>`.",
    addressFault,
  ),
  MESSAGING_BASE_URL: server(text, null, "Address of the messaging API, when it differs from `PUBLIC_URL`.", addressFault),
  LINKS_URL: server(
    text,
    null,
    "Address of a host of its own, which leads here too, for unsubscribe and tracked links in mail: `https://links.example.com`. Senders may then have link hosts of their own domains. Without it such links begin with the messaging API's address.",
    originFault,
  ),
  TRUSTED_PROXIES: server(
    list,
    [],
    "Addresses or CIDR ranges of proxies whose `X-Forwarded-For` is believed. Without it the peer's own address counts.",
    proxiesFault,
  ),
  ALLOWED_HOSTS: server(
    list,
    [],
    "Further host names and IP addresses, without port, that requests may ask for in `Host`. Those of `PUBLIC_URL`, `MESSAGING_BASE_URL` and `LINKS_URL`, loopback and senders' verified link hosts always may; others get 421. `/healthz` and `/readyz` answer to any.",
    hostsFault,
  ),
  HSTS_SUBDOMAINS: server(
    Type.Boolean(),
    false,
    "Whether `Strict-Transport-Security` also covers the hosts below that of `PUBLIC_URL`. Turn it on when all of them speak https.",
  ),

  TILLPOST_DATA_DIR: data(
    text,
    ".tillpost",
    "Folder for the embedded database, uploaded files and generated secrets. Relative to where the program was started.",
  ),
  DATABASE_URL: secret(
    data(
      text,
      null,
      "PostgreSQL 15 or newer to use in place of the embedded one: `postgres://user:password@host:5432/name`, with `?sslmode=verify-full&sslrootcert=/path/to/ca.pem` and the like for TLS.",
      databaseFault,
    ),
  ),
  DATABASE_OWNER_URL: secret(
    data(
      text,
      null,
      "The database of `DATABASE_URL` as the role that owns its tables: migrations run as it, so that the role of `DATABASE_URL` needs to own nothing. Without it one role does both.",
      databaseFault,
    ),
  ),
  DISK_RESERVE_MB: data(
    integer(32, 1_000_000_000),
    256,
    "Megabytes that must stay free on the disk of the embedded database. With less, writes answer 503 and only reads work, until there is enough space again.",
  ),
  DATABASE_POOL: data(integer(2, 500), 10, "Most database connections that one process opens."),
  DATABASE_PREPARE: data(
    Type.Boolean(),
    true,
    "Whether statements are prepared once on each connection. Turn it off behind a pooler that gives each transaction another connection, such as PgBouncer with `pool_mode = transaction`.",
  ),
  MASTER_KEYS: secret(
    data(
      text,
      null,
      "Keys that seal secrets in the database, `1:<64 hexadecimal digits>`, comma-separated. With `DATABASE_URL`, one of `MASTER_KEYS`, `MASTER_KEYS_FILE` and `MASTER_KEYS_COMMAND` is needed; without it, a key is generated into the data folder. A first start seals with the highest number; `master-keys rotate` switches to a newer key.",
      masterKeysFault,
    ),
  ),
  MASTER_KEYS_FILE: data(text, null, "File with those keys, separated by commas or lines. Running processes read it again when it changes."),
  MASTER_KEYS_COMMAND: secret(
    data(
      text,
      null,
      "Command that prints those keys, such as one that asks your secret store. It runs with `/bin/sh -c` at each start, and again when a key was added. It has 10 seconds. Its output is never shown.",
    ),
  ),
  S3_ENDPOINT: data(text, null, "Address of an S3-compatible store for uploaded files, in place of the data folder. All of `S3_…` go together.", addressFault),
  S3_BUCKET: data(text, null, "Bucket of that store; addressed by path."),
  S3_REGION: data(text, "us-east-1", "Region of that store."),
  S3_ACCESS_KEY_ID: data(text, null, "Access key of that store."),
  S3_SECRET_ACCESS_KEY: secret(data(text, null, "Its secret.")),

  BACKUP_DIR: backups(text, null, "Folder that backups of the embedded database go into, better on another disk. Without it: `backups` in the data folder."),
  BACKUP_RECIPIENT: backups(
    text,
    null,
    "Public key that backups are encrypted to, `age1…`, as `backup --new-key` or `age-keygen` makes it. Without it they are not encrypted.",
    recipientFault,
  ),
  BACKUP_NIGHTLY: backups(Type.Boolean(), true, "Whether `serve` backs up the embedded database every night."),
  BACKUP_HOUR: backups(integer(0, 23), 3, "Hour from which on that is done, in the time zone of the machine."),
  BACKUP_KEEP: backups(
    integer(1, 1_000),
    7,
    "How many backups stay in `BACKUP_DIR` after that of a night; fewer where the disk has less than twice the room of one. The newest always stays.",
  ),
  BACKUP_WAL: backups(
    Type.Boolean(),
    false,
    "Whether `serve` also copies the write-ahead log (WAL) of the embedded database into `BACKUP_DIR`, every ten seconds, so that `restore --at` reaches any instant since the oldest of them.",
  ),

  BACKUP_S3_ENDPOINT: backups(
    text,
    null,
    "Address of an S3-compatible store that every backup is copied to, and with `BACKUP_WAL` the write-ahead log. All of `BACKUP_S3_…` go together.",
    addressFault,
  ),
  BACKUP_S3_BUCKET: backups(text, null, "Bucket of that store; addressed by path. Nothing is deleted there: a rule of the bucket has to do that."),
  BACKUP_S3_REGION: backups(text, "us-east-1", "Region of that store."),
  BACKUP_S3_ACCESS_KEY_ID: backups(text, null, "Access key of that store."),
  BACKUP_S3_SECRET_ACCESS_KEY: secret(backups(text, null, "Its secret.")),

  RATE_LIMIT_LIVE: limits(perMinute, 6000, "Requests a minute of a LIVE key, per endpoint."),
  RATE_LIMIT_TEST: limits(perMinute, 1500, "Requests a minute of a TEST key, per endpoint."),
  RATE_LIMIT_BURST: limits(integer(1, 100_000), 200, "Requests of one key in flight at once. What exceeds it waits for up to two seconds."),
  RATE_LIMIT_UNAUTHENTICATED: limits(perMinute, 60, "Requests a minute of an address that shows no valid credentials."),
  RATE_LIMIT_SIGN_IN: limits(perMinute, 5, "Attempts a minute to sign in to one account from one address."),
  RATE_LIMIT_SIGN_IN_PER_ACCOUNT: limits(perMinute, 20, "Attempts a minute to sign in to one account, from anywhere."),
  RATE_LIMIT_SIGN_IN_PER_ADDRESS: limits(perMinute, 30, "Attempts a minute to sign in from one address, to any account."),
  RATE_LIMIT_TIERS: limits(
    list,
    [],
    "Changes to the tiers' messaging API limits per key, each `<tier>.<limit>=<number>` with the tiers `free`, `starter`, `pro`, `enterprise` and the limits `emails`, `calls`, `verifications`, `reads`, `general` (per minute), `burst` (at once), `email_batches`, `control` (per hour).",
    tiersFault,
  ),
  QUOTA_TIERS: limits(
    list,
    [],
    "Changes to the tiers' daily quotas per project and environment, each `<tier>.<unit>=<number>` with the units `emails` and `calls`. Defaults: `free` 1 000 emails and 50 calls, `starter` 50 000 and 1 000, `pro` 1 000 000 and 20 000, `enterprise` 10 000 000 and 500 000.",
    quotasFault,
  ),
  CAP_TIERS: limits(
    list,
    [],
    "Changes to the tiers' caps on LIVE SMS and calls, each `<tier>.<cap>=<number>` with the caps `daily_spend_micros` and `monthly_spend_micros` (millionths of the price table's currency), `daily_segments`, `monthly_segments`, `daily_minutes` and `monthly_minutes` (where there are no prices), and `calls_at_once`.",
    capsFault,
  ),
  RECIPIENT_PACE: limits(
    list,
    [],
    "Changes to how many LIVE SMS and calls one number can get from a project, each `<sms or call>=<count>/<seconds>`; a window shorter than a day is the short one. Defaults: 5 SMS in 600 seconds and 20 in a day, 2 calls in 600 seconds and 10 in a day.",
    paceFault,
  ),
  CALLS_AT_ONCE: limits(
    integer(1, 1_000),
    10,
    "Concurrent calls in each project and environment across all processes, unless the operator sets another number for a project or its tier allows fewer. Further ones wait until one has ended.",
  ),
  LIMITS_STORE: limits(
    choice(["memory", "redis", "postgres"]),
    null,
    "Where limits are counted: `memory` for one process; `redis` (or Valkey) or `postgres` when several processes serve. Without it: `redis` when `REDIS_URL` is set, else `memory`.",
  ),
  REDIS_URL: secret(limits(text, null, "Redis or Valkey for the limits of several processes: `redis://user:password@host:6379/0` or `rediss://`.", redisFault)),
  LIMITS_NODES: limits(integer(1, 1_000), 1, "How many processes share that store. While it is down, each allows this part of every limit."),
  RATE_LIMIT_LINK_READS: limits(perMinute, 120, "Reads a minute of one payment link."),
  RATE_LIMIT_LINK_READS_PER_ADDRESS: limits(perMinute, 1200, "Reads of payment links a minute from one address, or one /64 of IPv6."),
  RATE_LIMIT_LINK_INITIATE: limits(perMinute, 10, "Payments a minute that may be started on one payment link."),
  RATE_LIMIT_LINK_PROOFS: limits(perMinute, 5, "Payment proofs an hour on one payment link."),
  STREAMS_PER_LINK: limits(integer(1, 10_000), 5, "Event streams open at once on one payment link."),
  STREAMS_PER_ADDRESS: limits(integer(1, 100_000), 50, "Event streams of payment links open at once from one address."),

  FLAT_PATHS_DEPRECATED_AT: contract(
    text,
    "2026-11-01T00:00:00Z",
    "Since when the flat API paths count as deprecated (the `Deprecation` header).",
    instantFault,
  ),
  FLAT_PATHS_SUNSET_AT: contract(text, "2027-11-01T00:00:00Z", "When the flat API paths may go away (the `Sunset` header).", instantFault),
  EGRESS_ALLOW: contract(
    list,
    [],
    "CIDR ranges that addresses named by merchants may lead to although they are not public. For development and tests.",
    rangesFault,
  ),
  GATEWAY_URLS: contract(
    list,
    [],
    "Other addresses of payment providers' APIs, each `<gateway>=<url>`, or with `.test` or `.live` after the gateway's name for one environment only. They can lead anywhere, and they see your merchants' credentials. For development, and for your own proxy.",
    gatewayUrlsFault,
  ),
  SIGNUP: contract(choice(["invite", "open"]), "invite", "Whether people can create an account themselves."),

  EMAIL_TRANSPORT: mail(
    choice(["outbox", "relay", "mx"]),
    "outbox",
    "How LIVE email is sent: `outbox` keeps it here and sends nothing, `relay` hands it to `EMAIL_RELAY_URL`, `mx` delivers to the recipients' own servers.",
  ),
  EMAIL_RELAY_URL: secret(mail(text, null, "SMTP server of the relay: `smtps://user:password@host:465` or `smtp://host:587`.", relayFault)),
  EMAIL_DOMAIN: mail(
    text,
    null,
    "The platform's own domain: every project may send from it, and Tillpost's system emails do. Without it: the host name of `PUBLIC_URL`.",
    domainFault,
  ),
  EMAIL_FROM: mail(text, null, "Sender of Tillpost's system emails. Without it: `Tillpost <no-reply@EMAIL_DOMAIN>`."),
  EMAIL_HELO: mail(
    text,
    null,
    "Name that this host gives to other mail servers; its address should lead back to it. Without it: the machine's host name.",
    heloFault,
  ),
  EMAIL_BOUNCE_DOMAIN: mail(text, null, "Domain of return addresses, whose MX is this server's bounce host. Without it bounces are not taken in.", domainFault),
  EMAIL_BOUNCE_HOST: mail(text, "localhost", "Address that the bounce host listens on, when there is a bounce domain."),
  EMAIL_BOUNCE_PORT: mail(integer(1, 65_535), 2525, "Port of the bounce host; other mail servers reach it through port 25 of its MX."),
  EMAIL_BOUNCE_TLS_CERT: mail(text, null, "File with the bounce host's certificate (PEM, with its chain). With `EMAIL_BOUNCE_TLS_KEY` it offers encryption."),
  EMAIL_BOUNCE_TLS_KEY: mail(text, null, "File with the private key of that certificate."),

  ...telephoneSettings,
  ...callSettings,

  DOCTOR_HTTPS_HOST: running(
    text,
    null,
    "Host that `doctor` asks by https, to see whether this machine reaches the network. Without it none is asked.",
    hostFault,
  ),
  DOCTOR_MAIL_DOMAIN: running(
    text,
    null,
    "Domain whose mail servers `doctor` greets on port 25, where mail leaves by `EMAIL_TRANSPORT=mx`. Without it none is asked.",
    hostFault,
  ),
  WORKERS: running(Type.Boolean(), true, "Whether `serve` also runs the background work (expiry, balances, audit chain). Off, a separate `worker` must run."),
  LOG_LEVEL: running(choice(["trace", "debug", "info", "warn", "error", "fatal", "silent"]), "info", "Least severe log line that is written."),
  LOG_PRETTY: running(Type.Boolean(), null, "Log lines for people in place of JSON. Without it: only when the output is a terminal."),
  METRICS_TOKEN: secret(
    running(
      Type.String({ minLength: 16 }),
      null,
      "Bearer token for `/metrics`. Without it only this machine may ask, and only while `PUBLIC_URL` is a loopback address.",
    ),
  ),
} satisfies Record<string, Setting>;
