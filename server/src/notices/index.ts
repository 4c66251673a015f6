export { listOwnMails } from "./list-own-mails.ts";
export { readOwnMail } from "./read-own-mail.ts";
export { sendNotices } from "./send-notices.ts";
