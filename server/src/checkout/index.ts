export { chooseLanguage } from "./page/choose-language.ts";
export { deviceOf } from "./page/device.ts";
export { type LoadedFiles, loadPageFiles, type PageFile } from "./page/load-page-files.ts";
export { type PageRequest, query } from "./page/page.ts";
export { renderPayPage, renderReceipt, renderUnknownPage } from "./page/render-page.ts";
export type { PayChannel, PaySession, PayView } from "./pay-view.ts";
