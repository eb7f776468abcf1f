/**
 * The HTTP client of the console: JSON by the routes of the contract, signed in by the session's cookie. It knows no descriptors, which would
 * be most of what a browser loads; types are those of the contract and are erased.
 */
import { type Operations, routes } from '../gen/routes.js';
import { ClientError, readError } from './error.ts';
import { fillRoute, type RequestParts } from './fill-route.ts';

/** The name of an operation, as `Service.Method`. */
export type Operation = keyof Operations;
export type RequestOf<K extends Operation> = Operations[K]['request'];
export type ReplyOf<K extends Operation> = Operations[K]['reply'];

export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  /** Person whom the page was made for: the server refuses it once somebody else is signed in. */
  readonly signedInAs?: string | undefined;
}

/** One call; throws ClientError for every answer but 200, and one with status 0 where nobody answered. */
export async function call<K extends Operation>(operation: K, request: RequestOf<K>, options: CallOptions = {}): Promise<ReplyOf<K>> {
  const { verb, path, body } = build(operation, request);
  return (await send(verb, path, {
    body: body === undefined ? null : JSON.stringify(body),
    contentType: body === undefined ? undefined : 'application/json',
    ...options,
  })) as ReplyOf<K>;
}

/** A call whose body is a file. Its other fields go into the query. */
export async function upload<K extends Operation>(
  operation: K,
  request: RequestOf<K>,
  file: { readonly content: Blob; readonly contentType: string },
  options: CallOptions = {},
): Promise<ReplyOf<K>> {
  const { verb, path } = build(operation, request, true);
  return (await send(verb, path, { body: file.content, contentType: file.contentType, ...options })) as ReplyOf<K>;
}

/** A request to an address beside the contract, such as those of signing in. */
export function fetchJson(verb: string, path: string, body?: unknown, options: CallOptions = {}): Promise<unknown> {
  return send(verb, path, {
    body: body === undefined ? null : JSON.stringify(body),
    contentType: verb === 'GET' ? undefined : 'application/json',
    ...options,
  });
}

interface Sent extends CallOptions {
  readonly body: string | Blob | null;
  readonly contentType: string | undefined;
}

async function send(verb: string, path: string, { body, contentType, signal, signedInAs }: Sent): Promise<unknown> {
  let response: Response;
  try {
    response = await fetch(path, {
      method: verb,
      body,
      credentials: 'same-origin',
      redirect: 'error',
      headers: {
        accept: 'application/json',
        ...(contentType === undefined ? {} : { 'content-type': contentType }),
        ...(signedInAs === undefined ? {} : { 'x-signed-in-as': signedInAs }),
      },
      ...(signal === undefined ? {} : { signal }),
    });
  } catch (error) {
    if (signal?.aborted === true) {
      throw error;
    }
    throw new ClientError('the server did not answer', { status: 0, code: 'UNREACHABLE', cause: error });
  }
  if (response.status === 204) {
    return {};
  }
  if (response.status !== 200) {
    throw await readError(response);
  }
  try {
    return await response.json();
  } catch (error) {
    // A proxy that answers 200 with a page of its own, or a connection that ended within the body.
    throw new ClientError('the answer could not be read', { status: 0, code: 'UNREACHABLE', cause: error });
  }
}

/** Returns verb, path and body: what the path does not take is the body, or the query of a GET. */
export function build(operation: Operation, request: Readonly<Record<string, unknown>>, bodyIsFile = false): RequestParts {
  const [verb = '', template = ''] = routes[operation].split(' ');
  return fillRoute(verb, template, request, bodyIsFile);
}
