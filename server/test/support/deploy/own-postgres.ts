import type { Guest } from "./guest.ts";

/** The units of several processes. */
export const several = "tillpost-api@8080 tillpost-api@8082 tillpost-worker@8081";

/** Lets several processes run with the settings of /root/own.env too, in place of the one, and puts that back afterwards. */
export function onOwnPostgres(guest: Guest, follow: () => void): void {
  guest.run("cp /etc/tillpost/tillpost.env /root/usual.env; cat /root/own.env >> /etc/tillpost/tillpost.env");
  follow();
  guest.run(`systemctl disable --now ${several}; systemctl stop tillpost-migrate`);
  guest.run("cp /root/usual.env /etc/tillpost/tillpost.env; systemctl enable --now tillpost.service");
  guest.untilReady(8080);
}
