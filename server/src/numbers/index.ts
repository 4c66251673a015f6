export { readSender, type Sender } from "./read-sender.ts";
