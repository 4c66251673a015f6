import { ladder } from "../read/ladder.ts";
import { faultsOf, isProduct, isTypeScript, type Rule, roomOf } from "../read/sources.ts";

/** Words about only one channel. */
const ofOneChannel = /mail|smtp|dkim|dmarc|\bspf\b|\bmime\b|inbox|bounc|html/gi;
/** The rooms below the channels know email addresses and system emails; how email is delivered doesn't concern them. */
const ofItsWay = /[Ss]mtp|SMTP|[Dd]kim|DKIM|[Dd]marc|DMARC|[Mm]ailbox|[Bb]ounce(?!d)/g;

const below: readonly string[] = ladder.slice(0, ladder.indexOf("messaging"));

/** What channels share mentions none of them: a channel provides its own part through the port. */
export const channelsKeepTheirOwn: Rule = (files) =>
  files
    .filter(({ path }) => isProduct(path) && isTypeScript(path))
    .flatMap((file) => {
      const room = roomOf(file.path) ?? "";
      if (room === "messaging")
        return faultsOf(
          file,
          ofOneChannel,
          "names what only e-mail is about: let the channel say it, by the port in server/src/messaging/channel.ts",
        );
      return below.includes(room) ? faultsOf(file, ofItsWay, "names how mail travels: that belongs into server/src/email/") : [];
    });
