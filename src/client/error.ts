/** Error of a call that was refused or failed, made from the error body of the API or of its token endpoint. */
import type { ErrorCode, ErrorFacts, FieldViolation } from '../errors.ts';
import { isJsonObject } from '../lib/json.ts';

export type { ErrorCode } from '../errors.ts';

/** A code of the token endpoint (RFC 6749 section 5.2, RFC 8628 section 3.5). */
type TokenCode =
  | 'access_denied'
  | 'authorization_pending'
  | 'expired_token'
  | 'invalid_client'
  | 'invalid_grant'
  | 'invalid_request'
  | 'server_error'
  | 'slow_down'
  | 'temporarily_unavailable'
  | 'unauthorized_client'
  | 'unsupported_grant_type';

/** A code that programs compare with: one that a later server says beside these equals none of them. */
export type ClientCode = ErrorCode | TokenCode | `HTTP_${number}` | 'UNREACHABLE' | 'INVALID_SECRET' | 'INVALID_CLIENT_ID';

/** Takes the code that a reply says. */
export const readCode = (said: string): ClientCode => said as ClientCode;

/** A refusal by the server, or `code` UNREACHABLE with status 0 where none answered. */
export class ClientError extends Error {
  override readonly name = 'ClientError';
  /** HTTP status; 0 where nobody answered. */
  readonly status: number;
  /** One of the codes of docs/errors.md where the server named it, an OAuth error code from the token endpoint, or HTTP_<status>. */
  readonly code: ClientCode;
  readonly violations: readonly FieldViolation[];
  /** Facts beside the code, such as who changed what one was about to change. */
  readonly metadata: ErrorFacts;
  /** Id to quote to the server's operator; empty where the server gave none. */
  readonly requestId: string;

  constructor(
    message: string,
    parts: {
      status: number;
      code: ClientCode;
      violations?: readonly FieldViolation[];
      metadata?: ErrorFacts;
      requestId?: string;
      cause?: unknown;
    },
  ) {
    super(message, parts.cause === undefined ? undefined : { cause: parts.cause });
    this.status = parts.status;
    this.code = parts.code;
    this.violations = parts.violations ?? [];
    this.metadata = parts.metadata ?? {};
    this.requestId = parts.requestId ?? '';
  }
}

const codeByStatus: Readonly<Record<number, ErrorCode>> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  405: 'METHOD_NOT_ALLOWED',
  409: 'CONFLICT',
  413: 'PAYLOAD_TOO_LARGE',
  415: 'UNSUPPORTED_MEDIA_TYPE',
  429: 'RATE_LIMITED',
  500: 'INTERNAL',
  503: 'UNAVAILABLE',
};

/** The error of a reply that is not 200: reads google.rpc.Status and RFC 6749 bodies, and makes do with anything else. */
export async function readError(response: Response): Promise<ClientError> {
  const text = await response.text().catch(() => '');
  const requestId = response.headers.get('x-request-id') ?? '';
  const fallback: ClientCode = codeByStatus[response.status] ?? `HTTP_${response.status}`;
  const body = parseObject(text);
  if (body === undefined) {
    return new ClientError(sayForeign(response, text), { status: response.status, code: fallback, requestId });
  }
  if (typeof body['error'] === 'string') {
    const description = body['error_description'];
    return new ClientError(typeof description === 'string' ? description : body['error'], {
      status: response.status,
      code: readCode(body['error']),
      requestId,
    });
  }
  const details = Array.isArray(body['details']) ? body['details'].filter(isJsonObject) : [];
  const reason = details.map((detail) => detail['reason']).find((value) => typeof value === 'string');
  return new ClientError(typeof body['message'] === 'string' ? body['message'] : `the server answered ${response.status}`, {
    status: response.status,
    code: reason === undefined ? fallback : readCode(reason),
    violations: details.flatMap(readViolations),
    metadata: Object.assign({}, ...details.map(readMetadata)) as ErrorFacts,
    requestId,
  });
}

/** The JSON of a reply; ClientError for one that is none, such as the page of a proxy that wants a sign-in of its own. */
export async function readJson(response: Response): Promise<unknown> {
  const text = await response.text().catch((cause: unknown) => {
    throw new ClientError('the connection ended within the answer', { status: 0, code: 'UNREACHABLE', cause });
  });
  try {
    return JSON.parse(text);
  } catch (cause) {
    const message = `the server answered ${response.status} and no JSON${quote(text)}; is Countersign at this address, and nothing in front of it that asks for a sign-in?`;
    throw new ClientError(message, { status: response.status, code: `HTTP_${response.status}`, cause });
  }
}

const ofProxies: Readonly<Record<number, string>> = {
  413: 'Something in front of it limits the size of requests: raise that limit (nginx: client_max_body_size 0).',
  502: 'Something in front of it does not reach it.',
  504: 'Something in front of it did not wait for its answer: let it wait longer (nginx: proxy_read_timeout), and look whether the change was made.',
};

/** A refusal that is not the server's own, whose answers are JSON, in one line. */
function sayForeign({ status, headers, url }: Response, text: string): string {
  const location = headers.get('location') ?? '';
  if (status >= 300 && status < 400 && URL.canParse(location, url)) {
    const { origin, pathname } = new URL(location, url);
    const target = pathname === new URL(url).pathname ? origin : `${origin}${pathname}`;
    return `the server answered ${status} and leads to ${target}; give that address as --url or COUNTERSIGN_URL, if Countersign is there`;
  }
  const way = text === '' ? undefined : ofProxies[status];
  return `the server answered ${status}${quote(text)}${way === undefined ? '' : `. ${way}`}`;
}

/** What a page says, in one line behind a colon: its title, or its text. */
function quote(text: string): string {
  const words = /<title[^>]*>([^<]*)/i.exec(text)?.[1] ?? text.replace(/<[^>]*>/g, ' ');
  const said = words
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
    .slice(0, 200);
  return said === '' ? '' : `: ${said}`;
}

/** The texts of the metadata of a detail. */
function readMetadata({ metadata }: Record<string, unknown>): Record<string, string> {
  const entries = isJsonObject(metadata) ? Object.entries(metadata) : [];
  return Object.fromEntries(entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
}

function readViolations(detail: Record<string, unknown>): FieldViolation[] {
  const list = detail['fieldViolations'];
  if (!Array.isArray(list)) {
    return [];
  }
  return list.filter(isJsonObject).map((one) => ({ field: String(one['field'] ?? ''), description: String(one['description'] ?? '') }));
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
