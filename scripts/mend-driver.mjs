// Mends the database driver after every install (npm's `postinstall`). In postgres 3.4.9 a connection that dies with a write still buffered keeps a
// cleared timer and never sends again, and a statement sent to a dead connection throws where nobody can catch it, which ends the process
// (porsager/postgres issues 1154 and 1208, open at the time of writing). Each replacement must match exactly once, else the install fails loudly.
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";

const file = createRequire(new URL("../server/package.json", import.meta.url))
  .resolve("postgres")
  .replace(/cjs[/\\]src[/\\]index\.js$/, "src/connection.js");

const replacements = [
  // A dead connection forgets what it had not sent, and refuses statements until it is connected anew.
  [
    "    incomings = null\n    clearImmediate(nextWriteTimer)\n    socket.removeListener",
    "    incomings = null\n    clearImmediate(nextWriteTimer)\n    chunk = nextWriteTimer = null\n    terminated = true\n    socket.removeListener",
  ],
  ["    clearImmediate(nextWriteTimer)\n    if (socket) {", "    clearImmediate(nextWriteTimer)\n    chunk = nextWriteTimer = null\n    if (socket) {"],
  // It also settles everything that was asked of it: a statement left over would take the answer of the next session's first one.
  ["    !hadError && (query || sent.length) && error(Errors.connection('CONNECTION_CLOSED', options, socket))\n", ""],
  [
    "    socket = null\n\n    if (initial)\n      return reconnect()\n",
    `    socket = null

    const lost = Errors.connection('CONNECTION_CLOSED', options, null)
    stream && (stream.destroy(lost), stream = null)
    query && queryError(query, errorResponse || lost)
    while (sent.length)
      queryError(sent.shift(), lost)
    query = results = errorResponse = null
    result = new Result()

    if (initial)
      return reconnect()
`,
  ],
  // Refusing answers true: false would move the dead connection among the pool's busy ones, for ever.
  [
    "    if (terminated)\n      return queryError(q, Errors.connection('CONNECTION_DESTROYED', options))",
    "    if (terminated)\n      return queryError(q, Errors.connection('CONNECTION_CLOSED', options)), true",
  ],
  // A connection that dies while it learns the types is tried again; nobody awaits this query.
  ["        return fetchArrayTypes()\n", "        return fetchArrayTypes().catch(() => socket && socket.destroy())\n"],
  // A server that does not speak TLS would be spoken TLS to, and hang up without a word.
  [
    "      if (!canSSL && ssl === 'prefer')\n        return connected()\n",
    "      if (!canSSL && ssl === 'prefer')\n        return connected()\n      if (!canSSL)\n        return error(Object.assign(new Error('the server does not offer TLS'), { code: 'TLS_NOT_OFFERED' }))\n",
  ],
  // Whatever still gets here fails as a closed connection does.
  [
    "  function nextWrite(fn) {\n    const x",
    "  function nextWrite(fn) {\n    if (socket === null) {\n      chunk = nextWriteTimer = null\n      error(Errors.connection('CONNECTION_CLOSED', options, null))\n      return true\n    }\n    const x",
  ],
];

let text = readFileSync(file, "utf8");
for (const [before, after] of replacements) {
  if (after === "" ? !text.includes(before) : text.includes(after)) continue;
  if (text.split(before).length !== 2) throw new Error(`${file} is not the driver that this mends: look at the replacements again`);
  text = text.replace(before, () => after);
}
writeFileSync(file, text);
