export { type Mail, openMail } from "./open-mail.ts";
