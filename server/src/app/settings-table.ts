import Type from "typebox";
import { callSettings } from "./settings/calls.ts";
import { inGroup, type Setting, secret } from "./settings/setting.ts";
import { telephoneSettings } from "./settings/telephone.ts";
import {
  addressFault,
  databaseFault,
  domainFault,
  gatewayUrlsFault,
  heloFault,
  hostFault,
  hostsFault,
  instantFault,
  masterKeysFault,
  originFault,
  proxiesFault,
  rangesFault,
  recipientFault,
  relayFault,
} from "./settings-faults.ts";
import { limitSettings } from "./settings-limits.ts";

const integer = (minimum: number, maximum: number) => Type.Integer({ minimum, maximum });
const text = Type.String({ minLength: 1 });
const list = Type.Array(Type.String({ minLength: 1 }));
const choice = <const Names extends string[]>(names: Names) => Type.Enum(names);

const server = inGroup("Server");
const data = inGroup("Data");
const backups = inGroup("Backups");
const contract = inGroup("Interface");
const mail = inGroup("Email");
const running = inGroup("Operation");

/** Every setting, by the name of its environment variable. The code, `docs/settings.md` and `.env.example` all follow from this table. */
export const settingsTable = {
  PORT: server(integer(1, 65_535), 8080, "Port of the HTTP server."),
  HOST: server(
    text,
    "localhost",
    "Address the HTTP server listens on. `localhost` is the loopback address for both IPv4 and IPv6; `0.0.0.0` is all networks.",
  ),
  WORKER_PORT: server(
    integer(1, 65_535),
    null,
    "Port on which a `worker` serves `/healthz`, `/readyz` and `/metrics`, and nothing else. If not set, a worker doesn't listen.",
  ),
  DRAIN_SECONDS: server(
    integer(0, 600),
    0,
    "How many seconds a process that was asked to stop keeps serving while `/readyz` returns 503, so a load balancer can send requests elsewhere. After that, it accepts no new connections.",
  ),
  WORKER_HOST: server(text, "localhost", "Address a `worker` listens on, if it has a port."),
  PUBLIC_URL: server(
    text,
    null,
    "Address at which buyers and merchants reach this server, as used in payment links. Defaults to `http://localhost:<PORT>`.",
    addressFault,
  ),
  MESSAGING_BASE_URL: server(text, null, "Address of the messaging API, if it differs from `PUBLIC_URL`.", addressFault),
  LINKS_URL: server(
    text,
    null,
    "Address of a separate host that also points to this server, for unsubscribe and tracked links in email: `https://links.example.com`. Senders can then have link hosts on their own domains. If not set, such links use the messaging API's address.",
    originFault,
  ),
  TRUSTED_PROXIES: server(
    list,
    [],
    "Addresses or CIDR ranges of proxies whose `X-Forwarded-For` is trusted. If not set, the address of the connection is used.",
    proxiesFault,
  ),
  ALLOWED_HOSTS: server(
    list,
    [],
    "Additional host names and IP addresses, without port, that are accepted in `Host`. Those of `PUBLIC_URL`, `MESSAGING_BASE_URL` and `LINKS_URL`, loopback and senders' verified link hosts are always accepted; others get 421. `/healthz` and `/readyz` accept any host.",
    hostsFault,
  ),
  HSTS_SUBDOMAINS: server(
    Type.Boolean(),
    false,
    "Whether `Strict-Transport-Security` also covers the subdomains of `PUBLIC_URL`'s host. Turn it on if all of them support https.",
  ),

  TILLPOST_DATA_DIR: data(
    text,
    ".tillpost",
    "Folder for the embedded database, uploaded files and generated secrets. Relative to the folder the program is started in.",
  ),
  DATABASE_URL: secret(
    data(
      text,
      null,
      "PostgreSQL 15 or newer to use instead of the embedded one: `postgres://user:password@host:5432/name`. For TLS, add parameters such as `?sslmode=verify-full&sslrootcert=/path/to/ca.pem`.",
      databaseFault,
    ),
  ),
  DATABASE_OWNER_URL: secret(
    data(
      text,
      null,
      "The database of `DATABASE_URL`, with the role that owns its tables. Migrations run with this role, so that the role in `DATABASE_URL` doesn't have to own anything. If not set, one role does both.",
      databaseFault,
    ),
  ),
  DISK_RESERVE_MB: data(
    integer(32, 1_000_000_000),
    256,
    "Megabytes that must stay free on the embedded database's disk. With less, writes return 503 and only reads work until there is enough space again.",
  ),
  DATABASE_POOL: data(integer(2, 500), 10, "Maximum number of database connections per process."),
  DATABASE_PREPARE: data(
    Type.Boolean(),
    true,
    "Whether statements are prepared once per connection. Turn it off behind a pooler that can use a different connection for each transaction, such as PgBouncer with `pool_mode = transaction`.",
  ),
  MASTER_KEYS: secret(
    data(
      text,
      null,
      "Keys that encrypt secrets in the database, `1:<64 hexadecimal digits>`, comma-separated. With `DATABASE_URL`, one of `MASTER_KEYS`, `MASTER_KEYS_FILE` and `MASTER_KEYS_COMMAND` is required; without it, a key is generated in the data folder. The first start uses the highest number; `master-keys rotate` switches to a newer key.",
      masterKeysFault,
    ),
  ),
  MASTER_KEYS_FILE: data(
    text,
    null,
    "File with these keys, separated by commas or line breaks. Running processes read it again when it changes.",
  ),
  MASTER_KEYS_COMMAND: secret(
    data(
      text,
      null,
      "Command that prints these keys, such as one that queries your secret store. It runs with `/bin/sh -c` at each start, and again when a key has been added. It has 10 seconds. Its output is never shown.",
    ),
  ),
  S3_ENDPOINT: data(
    text,
    null,
    "Address of an S3-compatible store for uploaded files, instead of the data folder. Set all of `S3_…` together.",
    addressFault,
  ),
  S3_BUCKET: data(text, null, "The store's bucket, addressed by path."),
  S3_REGION: data(text, "us-east-1", "The store's region."),
  S3_ACCESS_KEY_ID: data(text, null, "The store's access key."),
  S3_SECRET_ACCESS_KEY: secret(data(text, null, "The access key's secret.")),

  BACKUP_DIR: backups(
    text,
    null,
    "Folder for backups of the embedded database, preferably on another disk. Defaults to `backups` in the data folder. With `BACKUP_WAL` it must persist across restarts.",
  ),
  BACKUP_RECIPIENT: backups(
    text,
    null,
    "Public key that backups are encrypted to, `age1…`, as created by `backup --new-key` or `age-keygen`. If not set, backups aren't encrypted.",
    recipientFault,
  ),
  BACKUP_NIGHTLY: backups(Type.Boolean(), true, "Whether `serve` backs up the embedded database every night."),
  BACKUP_HOUR: backups(integer(0, 23), 3, "Hour after which the nightly backup starts, in the machine's time zone."),
  BACKUP_KEEP: backups(
    integer(1, 1_000),
    7,
    "How many backups are kept in `BACKUP_DIR` after a nightly backup; fewer if the disk has less than twice the space of one. The newest is always kept.",
  ),
  BACKUP_WAL: backups(
    Type.Boolean(),
    false,
    "Whether `serve` also copies the embedded database's write-ahead log (WAL) to `BACKUP_DIR` every ten seconds, so that `restore --at` can restore any point in time since the oldest backup.",
  ),

  BACKUP_S3_ENDPOINT: backups(
    text,
    null,
    "Address of an S3-compatible store that all backups are copied to, and with `BACKUP_WAL` also the write-ahead log. Set all of `BACKUP_S3_…` together.",
    addressFault,
  ),
  BACKUP_S3_BUCKET: backups(
    text,
    null,
    "The store's bucket, addressed by path. Tillpost deletes nothing there: use a lifecycle rule of the bucket.",
  ),
  BACKUP_S3_REGION: backups(text, "us-east-1", "The store's region."),
  BACKUP_S3_ACCESS_KEY_ID: backups(text, null, "The store's access key."),
  BACKUP_S3_SECRET_ACCESS_KEY: secret(backups(text, null, "The access key's secret.")),

  ...limitSettings,

  FLAT_PATHS_DEPRECATED_AT: contract(
    text,
    "2026-11-01T00:00:00Z",
    "When the flat API paths became deprecated (the `Deprecation` header).",
    instantFault,
  ),
  FLAT_PATHS_SUNSET_AT: contract(
    text,
    "2027-11-01T00:00:00Z",
    "When the flat API paths may be removed (the `Sunset` header).",
    instantFault,
  ),
  EGRESS_ALLOW: contract(
    list,
    [],
    "Non-public CIDR ranges that webhooks and other addresses set by merchants can reach. For development and tests.",
    rangesFault,
  ),
  GATEWAY_URLS: contract(
    list,
    [],
    "Other addresses of payment providers' APIs, each `<gateway>=<url>`, or with `.test` or `.live` after the gateway's name for one environment only. They can be anywhere, and they receive your merchants' credentials. For development, and for your own proxy.",
    gatewayUrlsFault,
  ),
  SIGNUP: contract(choice(["invite", "open"]), "invite", "Whether people can create an account themselves."),

  EMAIL_TRANSPORT: mail(
    choice(["outbox", "relay", "mx"]),
    "outbox",
    "How LIVE email is sent: `outbox` stores it here and sends nothing, `relay` sends it through `EMAIL_RELAY_URL`, `mx` delivers it directly to the recipients' servers.",
  ),
  EMAIL_RELAY_URL: secret(mail(text, null, "The relay's SMTP server: `smtps://user:password@host:465` or `smtp://host:587`.", relayFault)),
  EMAIL_DOMAIN: mail(
    text,
    null,
    "The platform's own domain: every project can send from it, and Tillpost's system emails do. Defaults to the host name of `PUBLIC_URL`.",
    domainFault,
  ),
  EMAIL_FROM: mail(text, null, "Sender of Tillpost's system emails. Defaults to `Tillpost <no-reply@EMAIL_DOMAIN>`."),
  EMAIL_HELO: mail(
    text,
    null,
    "Name this host gives to other mail servers; its address should resolve back to it. Defaults to the machine's host name.",
    heloFault,
  ),
  EMAIL_BOUNCE_DOMAIN: mail(
    text,
    null,
    "Domain of return addresses, whose MX record points to this server's bounce host. If not set, bounces aren't received.",
    domainFault,
  ),
  EMAIL_BOUNCE_HOST: mail(text, "localhost", "Address the bounce host listens on, if there is a bounce domain."),
  EMAIL_BOUNCE_PORT: mail(
    integer(1, 65_535),
    2525,
    "Port the bounce host listens on; other mail servers reach it through port 25 of the MX host.",
  ),
  EMAIL_BOUNCE_TLS_CERT: mail(
    text,
    null,
    "File with the bounce host's certificate (PEM, with its chain). Together with `EMAIL_BOUNCE_TLS_KEY`, it enables encryption.",
  ),
  EMAIL_BOUNCE_TLS_KEY: mail(text, null, "File with the private key of that certificate."),

  ...telephoneSettings,
  ...callSettings,

  DOCTOR_HTTPS_HOST: running(
    text,
    null,
    "Host that `doctor` connects to over https, to check whether this machine reaches the network. If not set, this isn't checked.",
    hostFault,
  ),
  DOCTOR_MAIL_DOMAIN: running(
    text,
    null,
    "Domain whose mail servers `doctor` connects to on port 25, with `EMAIL_TRANSPORT=mx`. If not set, this isn't checked.",
    hostFault,
  ),
  WORKERS: running(
    Type.Boolean(),
    true,
    "Whether `serve` also runs the background work (expiry, balances, audit chain). If off, a separate `worker` must run.",
  ),
  LOG_LEVEL: running(choice(["trace", "debug", "info", "warn", "error", "fatal", "silent"]), "info", "Lowest level of log lines to write."),
  LOG_PRETTY: running(Type.Boolean(), null, "Log lines for people instead of JSON. Defaults to on if the output is a terminal."),
  METRICS_TOKEN: secret(
    running(
      Type.String({ minLength: 16 }),
      null,
      "Bearer token for `/metrics`. If not set, only this machine can read them, and only if `PUBLIC_URL` is a loopback address.",
    ),
  ),
} satisfies Record<string, Setting>;
