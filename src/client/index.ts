/**
 * The typed HTTP client over the contract: `client.call(AccessReviewService.method.get, { id })`. Request and reply types come from
 * the generated code, routes from the contract's options. The command line, the end-to-end tests and the demo speak through it.
 */
import type { DescMessage, DescMethod, JsonObject, MessageJsonType } from '@bufbuild/protobuf';
import { readError, readJson } from './error.ts';
import { buildRequest } from './route.ts';
import { type ClientCredential, createTokenSource, signText, reach, type TokenSource } from './token.ts';

export { ClientError, readCode } from './error.ts';
export type { ClientCredential } from './token.ts';

/** A method of the contract with its generated types. */
export type Method<I extends DescMessage, O extends DescMessage> = Pick<DescMethod, 'methodKind'> & { input: I; output: O };

/** The element type of a reply's `list`. */
export type ListItem<O> = O extends { list?: readonly (infer T)[] } ? T : never;

export interface ClientOptions {
  /** Server's address, with scheme and port, without a path; a trailing slash is forgiven. */
  readonly url: string;
  /** Absent, and no `token` either: calls go out without a token. */
  readonly credential?: ClientCredential;
  /** An access token to send as it is, in place of those of a credential. */
  readonly token?: string;
  /** For tests and browsers; the global fetch where absent. */
  readonly fetch?: typeof fetch;
}

/** A file to send: CSV, plain or gzip, or Excel, in pieces of any size. */
export interface Upload {
  readonly content: ReadableStream<Uint8Array>;
  readonly gzip: boolean;
  /** `text/csv` where absent. */
  readonly contentType?: string;
}

export interface Client {
  readonly url: string;
  /** One call; throws ClientError for every answer but 200. A token refused with 401 is renewed and the call sent again, once. */
  call<I extends DescMessage, O extends DescMessage>(method: Method<I, O>, request: MessageJsonType<I>): Promise<MessageJsonType<O>>;
  /** The items of all pages of a list or search, page by page as they are asked for. */
  pages<I extends DescMessage, O extends DescMessage>(
    method: Method<I, O>,
    request: MessageJsonType<I>,
  ): AsyncGenerator<ListItem<MessageJsonType<O>>>;
  /** A call whose body is a file, streamed; not repeated on 401, because the stream is spent. */
  upload<I extends DescMessage, O extends DescMessage>(
    method: Method<I, O>,
    request: MessageJsonType<I>,
    file: Upload,
  ): Promise<MessageJsonType<O>>;
  /** The reply of a signed link such as a report's downloadUrl; its body is a stream. */
  download(url: string): Promise<Response>;
  /** The current access token, for those who speak HTTP themselves. */
  token(): Promise<string>;
  /** The signature of a text by the key of the credential, in base64url; empty for a client without one. */
  sign(text: string): Promise<string>;
}

/** A client of the server at `options.url`. Nothing is sent before the first call. */
export function createClient(options: ClientOptions): Client {
  const url = options.url.replace(/\/+$/, '');
  const send: typeof fetch = options.fetch ?? ((input, init) => fetch(input, init));
  const tokens = options.credential === undefined ? fixedToken(options.token ?? '') : createTokenSource(url, options.credential, send);

  const request = async (path: string, init: RequestInit & { headers: Record<string, string> }, token: string): Promise<Response> =>
    reach(send, url + path, {
      ...init,
      // A member that the server does not know is an error of ours, or the server is older than we are: nobody wants it left out in silence.
      headers: { ...init.headers, prefer: 'handling=strict', ...(token === '' ? {} : { authorization: `Bearer ${token}` }) },
    });

  const client: Client = {
    url,
    async call(method, fields) {
      const { verb, path, body } = buildRequest(descriptorOf(method), fields as JsonObject);
      const init = {
        method: verb,
        headers: (body === undefined ? {} : { 'content-type': 'application/json' }) as Record<string, string>,
        body: body === undefined ? null : JSON.stringify(body),
      };
      const token = await tokens.current();
      let response = await request(path, init, token);
      if (response.status === 401 && token !== '') {
        await response.body?.cancel();
        response = await request(path, init, await tokens.renew(token));
      }
      return readReply(response);
    },
    async *pages(method, fields) {
      let pageToken = '';
      do {
        const asked: unknown = { pageSize: 100, ...(fields as JsonObject), pageToken };
        const reply: unknown = await client.call(method, asked as typeof fields);
        const page = reply as { list?: never[]; nextPageToken?: string };
        yield* page.list ?? [];
        pageToken = page.nextPageToken ?? '';
      } while (pageToken !== '');
    },
    async upload(method, fields, file) {
      const { verb, path } = buildRequest(descriptorOf(method), fields as JsonObject, true);
      const headers: Record<string, string> = { 'content-type': file.contentType ?? 'text/csv' };
      if (file.gzip) {
        headers['content-encoding'] = 'gzip';
      }
      // `duplex` is what fetch asks for with a streamed body; TypeScript's RequestInit does not know it.
      const init = { method: verb, headers, body: file.content, duplex: 'half' };
      return readReply(await request(path, init as RequestInit & { headers: Record<string, string> }, await tokens.current()));
    },
    async download(link) {
      // At the address we were given: the server knows its name, but not each way to it.
      const { pathname, search } = new URL(link, url);
      const response = await reach(send, `${url}${pathname}${search}`, {});
      if (response.status !== 200) {
        throw await readError(response);
      }
      return response;
    },
    token: () => tokens.current(),
    sign: async (text) => (options.credential === undefined ? '' : signText(options.credential, text)),
  };
  return client;
}

/** Works without a credential: one token or none, and nothing to renew. */
function fixedToken(token: string): TokenSource {
  return { current: () => Promise.resolve(token), renew: () => Promise.resolve(token) };
}

/** Returns the whole descriptor behind a method; `Method` names only what the types are inferred from. */
export function descriptorOf(method: Method<DescMessage, DescMessage>): DescMethod {
  return method as DescMethod;
}

async function readReply<T>(response: Response): Promise<T> {
  if (response.status !== 200) {
    throw await readError(response);
  }
  return (await readJson(response)) as T;
}
