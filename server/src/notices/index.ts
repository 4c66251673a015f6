export { sendNotices } from "./send-notices.ts";
