import { createHmac } from "node:crypto";
import { type SimulatorWorld, simulatorPage } from "#gateways/index.ts";
import { defineWords } from "#platform/index.ts";
import { possibleOutcomes, readOutcome, simulate } from "./actions.ts";
import { findAccount, type Link, takenOf } from "./shapes.ts";

const wholeCurrencies = new Set("BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF".split(" "));
const threeDecimals = new Set(["BHD", "IQD", "JOD", "KWD", "OMR", "TND"]);

/** The page of a link, at its short address. */
export async function answerPage(world: SimulatorWorld, request: Request): Promise<Response> {
  const link = await world.documents.get<Link>("link", new URL(request.url).pathname.split("/").at(-1) ?? "");
  if (link === null) return new Response("Error: link not found", { status: 404 });
  if (request.method === "POST") return choose(world, link, request);
  const decimals = wholeCurrencies.has(link.currency) ? 0 : threeDecimals.has(link.currency) ? 3 : 2;
  const page = simulatorPage(request, {
    provider: defineWords({ en: "Razorpay", zh: "Razorpay" }),
    title: link.description,
    amount: `${(link.amount / 10 ** decimals).toFixed(decimals)} ${link.currency}`,
    state: [link.status, link.payments.at(-1)?.status].filter((word) => word !== undefined).join(", "),
    outcomes: possibleOutcomes(link),
    back: link.callbackUrl,
  });
  return new Response(page, { headers: { "content-type": "text/html; charset=utf-8" } });
}

async function choose(world: SimulatorWorld, link: Link, request: Request): Promise<Response> {
  try {
    await simulate(world, link, readOutcome(new URLSearchParams(await request.text()).get("outcome") ?? ""));
  } catch (error) {
    return new Response(String(error), { status: 409 });
  }
  const after = (await world.documents.get<Link>("link", link.id)) ?? link;
  const isBack = after.status === "paid" && after.dispute === null;
  return new Response(null, { status: 303, headers: { location: isBack ? await returnUrl(world, after) : request.url } });
}

/** Where the buyer goes after paying, with the parameters that Razorpay appends for the shop. */
async function returnUrl(world: SimulatorWorld, link: Link): Promise<string> {
  const url = new URL(link.callbackUrl ?? `${world.origin}/i/${link.id}`);
  const { keySecret } = await findAccount(world, link.account);
  const values = [link.id, link.referenceId ?? "", link.status, takenOf(link)?.id ?? ""];
  const names = ["payment_link_id", "payment_link_reference_id", "payment_link_status", "payment_id"];
  for (const [index, name] of names.entries()) url.searchParams.append(`razorpay_${name}`, values[index] ?? "");
  url.searchParams.append("razorpay_signature", createHmac("sha256", keySecret).update(values.join("|")).digest("hex"));
  return url.href;
}
