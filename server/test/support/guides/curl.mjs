// Replaces curl on a machine without it: the options that our guides use, sent with fetch. Prints the response's body; exits with 22 for a
// refusal.
import { openAsBlob } from "node:fs";
import { basename } from "node:path";

const headers = new Headers();
const data = [];
let form;
let method;
let url = "";
const given = process.argv.slice(2);
while (given.length > 0) {
  const option = given.shift();
  if (option === "-X") method = given.shift();
  else if (option === "-H") addHeader(given.shift());
  else if (option === "-d") data.push(given.shift());
  else if (option === "-F") await addField(given.shift());
  else if (!["-s", "-S", "-sS", "-g", "--fail-with-body"].includes(option)) {
    if (option.startsWith("-")) throw new Error(`curl.mjs does not know ${option}`);
    url = option;
  }
}
const body = form ?? (data.length > 0 ? data.join("&") : undefined);
if (data.length > 0 && !headers.has("content-type")) headers.set("content-type", "application/x-www-form-urlencoded");
const answer = await fetch(url, { method: method ?? (body === undefined ? "GET" : "POST"), headers, body, redirect: "manual" });
process.stdout.write(Buffer.from(await answer.arrayBuffer()));
process.exitCode = answer.status >= 400 ? 22 : 0;

function addHeader(text) {
  const at = text.indexOf(":");
  headers.append(text.slice(0, at), text.slice(at + 1).trim());
}

async function addField(text) {
  form ??= new FormData();
  const at = text.indexOf("=");
  const [name, value] = [text.slice(0, at), text.slice(at + 1)];
  if (!value.startsWith("@")) return form.append(name, value);
  const [path, type] = value.slice(1).split(";type=");
  form.append(name, await openAsBlob(path, type === undefined ? {} : { type }), basename(path));
}
