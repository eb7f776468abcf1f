/**
 * Microsoft Graph and its token endpoint as a fake, written by the documentation of version 1.0, since no tenant of Microsoft is at hand. It is strict: it
 * refuses options, headers and sizes of pages and batches that the documentation does not allow, and verifies what an app signs in with.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Collection, findCollection, GraphRefused } from './collections.ts';
import { checkSignIn, type Registration, SignInRefused } from './sign-in.ts';
import type { FakeTenant } from './tenant.ts';

/** A reply as it goes out. */
export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/** Differences from test to test. */
export interface FakeOptions {
  readonly tenant: FakeTenant;
  readonly app: Registration;
  /** Permissions of the app; all that are needed where none are named. */
  readonly permissions?: readonly string[];
  /** Items of a page where more are asked for. */
  readonly pageSize?: number;
  /** Replies in place of the fake, by the path of a request, within batches too; undefined leaves it to the fake. */
  readonly interfere?: (path: string, reply: Reply) => Reply | undefined;
  /** Replies in place of the token endpoint. */
  readonly refuseToken?: () => Reply | undefined;
  readonly now?: () => Date;
  readonly tokenSeconds?: number;
}

/** A running fake. */
export interface FakeGraph {
  /** For OutgoingRules: where the fixed hosts are asked. */
  readonly standIns: ReadonlyMap<string, string>;
  /** Requests so far: paths, and `token`. */
  readonly asked: readonly string[];
  /** Forgets the requests so far. */
  forget(): void;
  /** Changes what the fake has from now on. */
  change(options: Partial<FakeOptions>): void;
  close(): Promise<void>;
}

/** Permissions that the kind needs. */
export const allPermissions = [
  ...['User.Read.All', 'GroupMember.Read.All', 'Application.Read.All', 'RoleManagement.Read.Directory', 'AuditLog.Read.All'],
] as const;

const [login, graph] = ['https://login.microsoftonline.com', 'https://graph.microsoft.com'] as const;
const json = { 'content-type': 'application/json' };
const maxBatch = 20;

/** Starts a fake on a free port. */
export async function startFakeGraph(first: FakeOptions): Promise<FakeGraph> {
  let options = first;
  const asked: string[] = [];
  const tokens = new Map<string, number>();
  const clock = (): Date => options.now?.() ?? new Date();

  const signIn = (path: string, body: string): Reply => {
    asked.push('token');
    const instead = options.refuseToken?.();
    if (instead !== undefined) {
      return instead;
    }
    try {
      checkSignIn(options.app, path, new URLSearchParams(body), clock());
    } catch (error) {
      const said = error instanceof SignInRefused ? error.message : `AADSTS50027: Invalid JWT token. ${String(error)}`;
      return { status: 401, headers: json, body: { error: 'invalid_client', error_description: said } };
    }
    const seconds = options.tokenSeconds ?? 3599;
    const token = `token-${tokens.size}`;
    tokens.set(token, clock().getTime() + seconds * 1000);
    return { status: 200, headers: json, body: { token_type: 'Bearer', expires_in: seconds, access_token: token } };
  };

  const answerOne = (path: string, headers: Readonly<Record<string, unknown>>): Reply => {
    asked.push(path);
    const reply = orRefusal(() => readList(options, path, headers));
    return options.interfere?.(path, reply) ?? reply;
  };
  const answerBatch = (body: string): Reply => {
    const { requests = [] } = JSON.parse(body) as {
      requests?: { id: string; method: string; url: string; headers?: Record<string, string> }[];
    };
    const ids = new Set(requests.map(({ id }) => id.toLowerCase()));
    const isGood = requests.every(({ id, method, url }) => typeof id === 'string' && method === 'GET' && url.startsWith('/'));
    if (requests.length === 0 || requests.length > maxBatch || ids.size !== requests.length || !isGood) {
      return { status: 400, headers: json, body: { error: { code: 'BadRequest', message: `A batch has at most ${maxBatch} requests.` } } };
    }
    asked.push('/$batch');
    const responses = requests.map(({ id, url, headers = {} }) => ({ id, ...answerOne(url, lowerCase(headers)) }));
    // Answers come in any order.
    const reply: Reply = { status: 200, headers: json, body: { responses: responses.reverse() } };
    return options.interfere?.('/$batch', reply) ?? reply;
  };

  const answer = async (request: IncomingMessage): Promise<Reply> => {
    const pieces: Buffer[] = [];
    for await (const piece of request as AsyncIterable<Buffer>) {
      pieces.push(piece);
    }
    const [url = '', body] = [request.url, Buffer.concat(pieces).toString('utf8')];
    if (/\/oauth2\//.test(url)) {
      const isForm = request.method === 'POST' && request.headers['content-type'] === 'application/x-www-form-urlencoded';
      return isForm ? signIn(url, body) : { status: 400, headers: json, body: {} };
    }
    const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1] ?? '';
    if ((tokens.get(token) ?? 0) <= clock().getTime()) {
      return {
        status: 401,
        headers: json,
        body: { error: { code: 'InvalidAuthenticationToken', message: 'Lifetime validation failed.' } },
      };
    }
    if (!url.startsWith('/v1.0/')) {
      return { status: 400, headers: json, body: { error: { code: 'BadRequest', message: 'Invalid version.' } } };
    }
    const path = url.slice('/v1.0'.length);
    const isBatch = path === '/$batch' && request.method === 'POST' && request.headers['content-type'] === 'application/json';
    return isBatch ? answerBatch(body) : answerOne(path, request.headers);
  };

  const server = createServer((request, response: ServerResponse) => {
    void answer(request).then(
      ({ status, headers, body }) => response.writeHead(status, headers).end(typeof body === 'string' ? body : JSON.stringify(body)),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const at = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    standIns: new Map([
      [login, at],
      [graph, at],
    ]),
    asked,
    forget: () => void asked.splice(0),
    change: (changes) => {
      options = { ...options, ...changes };
    },
    close: () =>
      new Promise((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
}

const lowerCase = (headers: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

function orRefusal(act: () => Reply): Reply {
  try {
    return act();
  } catch (error) {
    if (error instanceof GraphRefused) {
      return { status: error.status, headers: json, body: { error: { code: error.code, message: error.message } } };
    }
    throw error;
  }
}

function refuse(message: string): GraphRefused {
  return new GraphRefused(400, 'Request_UnsupportedQuery', message);
}

function readList(
  { tenant, permissions = allPermissions, pageSize }: FakeOptions,
  path: string,
  headers: Readonly<Record<string, unknown>>,
): Reply {
  const url = new URL(path, graph);
  const isEventual = headers.consistencylevel === 'eventual';
  const isCount = url.pathname.endsWith('/$count');
  const collection = findCollection(tenant, url.pathname.replace(/\/\$count$/, ''), permissions);
  if (!permissions.includes(collection.permission)) {
    throw new GraphRefused(403, 'Authorization_RequestDenied', 'Insufficient privileges to complete the operation.');
  }
  if (isCount) {
    if (!isEventual) {
      throw refuse('$count is not currently supported without the header ConsistencyLevel.');
    }
    // Graph sends a mark of the order of bytes before the number.
    return { status: 200, headers: { 'content-type': 'text/plain' }, body: `\uFEFF${collection.items.length}` };
  }
  const options = readOptions(url, collection, isEventual, permissions);
  const from = Number(url.searchParams.get('$skiptoken') ?? 0);
  const size = Math.min(options.top, pageSize ?? options.top);
  const items = collection.items.slice(from, from + size).map((item) => pick(item, options));
  const next = new URL(url);
  next.searchParams.set('$skiptoken', String(from + size));
  const isLast = from + size >= collection.items.length;
  const link = isLast ? {} : { '@odata.nextLink': `${graph}/v1.0${next.pathname}${next.search}` };
  return { status: 200, headers: json, body: { '@odata.context': `${graph}/v1.0/$metadata`, ...link, value: items } };
}

interface ListOptions {
  readonly top: number;
  readonly select: readonly string[] | undefined;
  readonly expand: string;
}

/** Reads OData's options, and refuses those that the list does not take. */
function readOptions(url: URL, collection: Collection, isEventual: boolean, permissions: readonly string[]): ListOptions {
  const { searchParams: given } = url;
  const unknown = [...given.keys()].find((name) => !['$select', '$expand', '$top', '$skiptoken'].includes(name));
  if (unknown !== undefined) {
    throw refuse(`The query option ${unknown} is not supported.`);
  }
  const select = given.get('$select')?.split(',');
  const wrong = select?.find((name) => collection.selectable === undefined || !collection.selectable.includes(name));
  if (wrong !== undefined) {
    throw new GraphRefused(400, 'BadRequest', `Could not find a property named '${wrong}'.`);
  }
  const hasSignIns = select?.includes('signInActivity') === true;
  if (hasSignIns && !permissions.includes('AuditLog.Read.All')) {
    throw new GraphRefused(
      403,
      'Authorization_RequestDenied',
      'Calling principal does not have required MSGraph permissions AuditLog.Read.All',
    );
  }
  const top = given.get('$top');
  const maxTop = collection.maxTop === undefined ? undefined : hasSignIns ? Math.min(collection.maxTop, 500) : collection.maxTop;
  if (top !== null && (maxTop === undefined || !/^\d+$/.test(top) || Number(top) < 1 || Number(top) > maxTop)) {
    throw refuse(
      maxTop === undefined ? '$top is not supported.' : `Invalid page size specified: '${top}'. Must be between 1 and ${maxTop} inclusive.`,
    );
  }
  const expand = given.get('$expand') ?? '';
  if (expand !== '' && (isEventual || !new RegExp(`^${collection.expandable ?? '-'}(\\(\\$select=id\\))?$`).test(expand))) {
    throw refuse('$expand is not supported here, or not with ConsistencyLevel.');
  }
  return { top: Number(top ?? 100), select, expand };
}

function pick(item: Readonly<Record<string, unknown>>, { select, expand }: ListOptions): unknown {
  const expanded = expand.split('(')[0] ?? '';
  return Object.fromEntries(
    Object.entries(item).filter(([name, value]) =>
      name === expanded
        ? value !== undefined
        : name.startsWith('@') || ((select?.includes(name) ?? name !== 'manager') && value !== undefined),
    ),
  );
}
