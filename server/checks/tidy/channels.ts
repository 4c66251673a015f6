import { ladder } from "../read/ladder.ts";
import { faultsOf, isProduct, isTypeScript, type Rule, roomOf } from "../read/sources.ts";

/** What only one channel is about. */
const ofOneChannel = /mail|smtp|dkim|dmarc|\bspf\b|\bmime\b|inbox|bounc|html/gi;
/** Below the channels people have e-mail addresses and Tillpost's own mails come about; how mail travels is none of their concern. */
const ofItsWay = /[Ss]mtp|SMTP|[Dd]kim|DKIM|[Dd]marc|DMARC|[Mm]ailbox|[Bb]ounce(?!d)/g;

const below: readonly string[] = ladder.slice(0, ladder.indexOf("messaging"));

/** What channels share names none of them: a channel says what is its own by filling the port. */
export const channelsKeepTheirOwn: Rule = (files) =>
  files
    .filter(({ path }) => isProduct(path) && isTypeScript(path))
    .flatMap((file) => {
      const room = roomOf(file.path) ?? "";
      if (room === "messaging")
        return faultsOf(file, ofOneChannel, "names what only e-mail is about: let the channel say it, by the port in server/src/messaging/channel.ts");
      return below.includes(room) ? faultsOf(file, ofItsWay, "names how mail travels: that belongs into server/src/email/") : [];
    });
