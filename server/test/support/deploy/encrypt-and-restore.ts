import { expect } from "vitest";
import type { Guest } from "./guest.ts";
import { Stranger } from "./stranger.ts";

/** Follows the parts of back-up.md that are for encrypted backups, on a machine that already takes backups. */
export function encryptAndRestore(machine: Guest): void {
  const page = new Stranger("back-up.md");
  for (const part of ["ReadWritePaths", "tillpost-settings", "tillpost backup"]) page.skip(part);
  expect(page.follow(machine, "--new-key")).toContain("Encrypted to age1");
  expect(machine.run("cat /root/tillpost-settings/tillpost.env")).toContain("BACKUP_RECIPIENT=age1");
  expect(machine.run("stat --format '%U %a' /root/backup-key.txt").trim()).toBe("root 600");
  expect(page.follow(machine, "--verify")).toContain("This backup restores.");
  page.skip("chown --recursive");
  machine.run("rm -r /var/lib/tillpost-before");
  page.follow(machine, "mv /var/lib/tillpost");
  const newest = '"$(ls -d /srv/tillpost-backups/2* | tail -n 1)"';
  expect(machine.type(`tillpost restore ${newest} --identity /root/backup-key.txt || true`)).toContain(
    "The file with the private key can't be read: EACCES",
  );
  page.skip("tillpost restore");
  expect(page.follow(machine, "--identity")).toContain("Restored into /var/lib/tillpost");
  expect(page.follow(machine, "start tillpost.service")).toContain("No problems found.");
  expect(machine.run("ls /var/lib/tillpost")).not.toContain("backup-key");
  expect(page.left()).toEqual([]);
}
