import { paymentMethods } from "#app/payment-methods.ts";
import type { PageRequest } from "#checkout/index.ts";
import { pageNow } from "./pay-views.ts";

const files = { style: "/static/a.css", script: "/static/a.js", mark: "/static/a.svg" };

/** A request for the payment page from a phone, in English. */
export const pageRequest = (changes: Partial<PageRequest> = {}): PageRequest => ({
  lang: "en",
  requested: {},
  device: "phone",
  methods: paymentMethods,
  isBack: false,
  problem: null,
  now: pageNow,
  files,
  ...changes,
});
