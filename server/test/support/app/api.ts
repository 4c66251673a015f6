import type { FastifyInstance, InjectOptions } from "fastify";

export interface Answer {
  status: number;
  headers: Record<string, string | undefined>;
  /** The parsed JSON body, or null if it isn't JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: a reply's shape is what the caller goes on to assert.
  body: any;
  text: string;
}

export interface CallOptions {
  headers?: Record<string, string>;
  body?: unknown;
  /** Sent as is, with the content type given in `headers`. */
  payload?: string | Buffer;
  /** Client address. */
  from?: string;
}

/** Calls one server with one key, without a network. */
export interface Api {
  get(path: string, options?: CallOptions): Promise<Answer>;
  post(path: string, body?: unknown, options?: CallOptions): Promise<Answer>;
  put(path: string, body?: unknown, options?: CallOptions): Promise<Answer>;
  delete(path: string, options?: CallOptions): Promise<Answer>;
  /** POSTs a file as multipart form data, with additional fields. */
  upload(path: string, file: Uint8Array, fields?: Record<string, string>, options?: CallOptions): Promise<Answer>;
  call(method: string, path: string, options?: CallOptions): Promise<Answer>;
}

export function apiOf(app: () => Promise<FastifyInstance>, key: string | null): Api {
  const authorization: Record<string, string> = key === null ? {} : { authorization: `Bearer ${key}` };
  const call: Api["call"] = async (method, path, options = {}) => {
    const request: InjectOptions = { method: method as "GET", url: path, headers: { ...authorization, ...options.headers } };
    if (options.body !== undefined) request.payload = options.body as object;
    if (options.payload !== undefined) request.payload = options.payload;
    if (options.from !== undefined) request.remoteAddress = options.from;
    const reply = await (await app()).inject(request);
    return { status: reply.statusCode, headers: reply.headers as Answer["headers"], body: parsed(reply.body), text: reply.body };
  };
  return {
    call,
    get: (path, options) => call("GET", path, options),
    post: (path, body, options) => call("POST", path, { ...options, body }),
    put: (path, body, options) => call("PUT", path, { ...options, body }),
    delete: (path, options) => call("DELETE", path, options),
    upload(path, file, fields = {}, options = {}) {
      const { payload, type } = multipart(file, fields);
      return call("POST", path, { ...options, payload, headers: { "content-type": type, ...options.headers } });
    },
  };
}

/** A multipart body with the fields first and then one part named `file`. */
export function multipart(file: Uint8Array, fields: Record<string, string> = {}): { payload: Buffer; type: string } {
  const boundary = "----tillpost-test-boundary";
  const texts = Object.entries(fields).map(
    ([name, value]) => `--${boundary}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  const head = `${texts.join("")}--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="picture.png"\r\ncontent-type: application/octet-stream\r\n\r\n`;
  return {
    payload: Buffer.concat([Buffer.from(head), file, Buffer.from(`\r\n--${boundary}--\r\n`)]),
    type: `multipart/form-data; boundary=${boundary}`,
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
