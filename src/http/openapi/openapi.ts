/**
 * The OpenAPI 3.1 document, derived from the contract: what is served is what is described. Only the routes beside the contract (tokens,
 * keys, probes) are written here manually. How messages become schemas is in openapi-schema.ts.
 */
import { type DescMethod, getOption } from '@bufbuild/protobuf';
import { streamed_body, takes_as_read } from '../../gen/countersign/options_pb.js';
import type { BoundMethod, BoundService } from '../../wire/service.ts';
import { noteOfField, noteOfMethod } from './field-notes.ts';
import { openSchemaBook, type Schema, type SchemaBook } from './openapi-schema.ts';
import { rolesByPermission } from '../../foundation/authority/index.ts';
import { methodDemand } from '../permissions.ts';
import { requestExamples } from './request-examples.ts';
import { contractRoute } from '../route-of.ts';

/** The error answers and when they come; docs/errors.md says more. */
const errors: Readonly<Record<string, { readonly name: string; readonly description: string; readonly headers?: Schema }>> = {
  400: {
    name: 'BadRequest',
    description: 'The request breaks the contract (all violations are listed), or the state of the object does not allow it.',
  },
  401: {
    name: 'Unauthenticated',
    description: 'No access token, or one that is not valid, expired or revoked.',
    headers: { 'WWW-Authenticate': { schema: { type: 'string' } } },
  },
  403: { name: 'PermissionDenied', description: 'The caller may not do this.' },
  404: { name: 'NotFound', description: 'There is no such object for this caller, no such path, or no tenant with this host.' },
  405: {
    name: 'MethodNotAllowed',
    description: 'The path exists, but not with this method.',
    headers: { Allow: { description: 'The methods it has.', schema: { type: 'string' } } },
  },
  409: { name: 'Conflict', description: 'Another request was first: a decision is taken, a name is used.' },
  413: { name: 'PayloadTooLarge', description: 'The body is over 1 MiB.' },
  414: { name: 'UriTooLong', description: 'A part of the path is too long.' },
  415: { name: 'UnsupportedMediaType', description: 'The body is not JSON.' },
  429: {
    name: 'RateLimited',
    description: 'Too many failed attempts.',
    headers: { 'Retry-After': { description: 'In seconds.', schema: { type: 'integer' } } },
  },
  500: { name: 'Internal', description: 'Something went wrong on the side of the server; the request id finds it in the log.' },
  503: {
    name: 'Unavailable',
    description: 'The database is not reachable or the server is not ready.',
    headers: { 'Retry-After': { description: 'In seconds.', schema: { type: 'integer' } } },
  },
};

const statusSchema: Schema = {
  type: 'object',
  description: 'An error, as google.rpc.Status.',
  required: ['code', 'message', 'details'],
  properties: {
    code: { type: 'integer', description: 'google.rpc.Code.' },
    message: { type: 'string' },
    details: {
      type: 'array',
      description:
        'google.rpc.BadRequest with one violation for each field, google.rpc.ErrorInfo with the code of docs/errors.md, google.rpc.RequestInfo.',
      items: {
        type: 'object',
        required: ['@type'],
        properties: {
          '@type': { type: 'string' },
          fieldViolations: {
            type: 'array',
            items: { type: 'object', properties: { field: { type: 'string' }, description: { type: 'string' } } },
          },
          reason: { type: 'string' },
          requestId: { type: 'string' },
        },
        additionalProperties: true,
      },
    },
  },
};

/** The document for these services, as JSON text. */
export function describeApi(services: readonly BoundService[]): string {
  const book = openSchemaBook();
  const paths: Record<string, Record<string, Schema>> = {};
  for (const service of services) {
    for (const method of service.methods) {
      const { template, verb } = contractRoute(method.desc);
      paths[template] ??= {};
      paths[template][verb.toLowerCase()] = describeOperation(method, book);
    }
  }
  return JSON.stringify({
    openapi: '3.1.0',
    info: {
      title: 'Countersign',
      version: '1',
      summary: 'Access reviews: who has access to what, whether it is still right, and a record of what was decided.',
      description:
        'Members are lowerCamel; requests may use snake_case. null means unset, unknown members are ignored. Replies always carry scalars, enums and arrays, and leave out other unset members. Lists answer `list` and `nextPageToken`, which is empty at the end.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    security: [{ bearer: [] }, { clientCredentials: [] }],
    tags: [...services.map(({ desc }) => ({ name: desc.name })), { name: 'Tokens' }, { name: 'Operation' }],
    paths: { ...sortByName(paths), ...tokenPaths, ...probePaths },
    components: {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: 'An access token from POST /auth/v1/token.' },
        clientCredentials: { type: 'oauth2', flows: { clientCredentials: { tokenUrl: '/auth/v1/token', scopes: {} } } },
      },
      responses: Object.fromEntries(
        Object.values(errors).map(({ name, description, headers }) => [
          name,
          {
            description,
            ...(headers === undefined ? {} : { headers }),
            content: { 'application/json': { schema: { $ref: '#/components/schemas/google.rpc.Status' } } },
          },
        ]),
      ),
      schemas: { ...sortByName(book.schemas), 'google.rpc.Status': statusSchema },
    },
  });
}

function sortByName<T>(members: Readonly<Record<string, T>>): Record<string, T> {
  return Object.fromEntries(Object.entries(members).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function describeOperation({ desc }: BoundMethod, book: SchemaBook): Schema {
  const route = contractRoute(desc);
  const { permission, act } = methodDemand(desc);
  const isStreamed = getOption(desc, streamed_body);
  const inPath = new Set(route.parameters);
  const parameters = desc.input.fields
    .filter((field) => inPath.has(field.name) || isStreamed || !route.hasBody)
    .map((field) => ({
      name: field.name,
      in: inPath.has(field.name) ? 'path' : 'query',
      ...(inPath.has(field.name) ? { required: true } : {}),
      ...describeOptionally(describeParameter(field.name) === undefined ? noteOfField(field) : undefined),
      schema: describeParameter(field.name) ?? book.ofField(field),
    }));
  const note = noteOfMethod(desc);
  const name = `${desc.parent.typeName}.${desc.name}`;
  const needs = `Needs the permission ${permission}, held by ${rolesByPermission[permission].join(', ')}.${act === 'ANSWER' ? ' People alone do this.' : ''}`;
  return {
    operationId: name,
    tags: [desc.parent.name],
    summary: note.replace(/\.(?: .*)?$/s, ''),
    description: `${note} ${needs}`,
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(route.hasBody ? { requestBody: isStreamed ? csvBody : jsonBody(describeBody(desc, book, inPath), requestExamples[name]) } : {}),
    responses: {
      200: { description: 'Done.', content: { 'application/json': { schema: book.refer(desc.output) } } },
      ...Object.fromEntries(Object.entries(errors).map(([status, { name }]) => [status, { $ref: `#/components/responses/${name}` }])),
    },
  };
}

/** The members of a request but for those in its path; with what the client read before, where the operation compares that. */
function describeBody(desc: DescMethod, book: SchemaBook, inPath: ReadonlySet<string>): Schema {
  const schema = book.inline(desc.input, inPath);
  if (!getOption(desc, takes_as_read)) {
    return schema;
  }
  const asRead = {
    type: 'object',
    additionalProperties: true,
    description:
      'Members of this request as you read them before. If one that you change has changed since, the request is refused with 409.',
  };
  return { ...schema, properties: { ...(schema['properties'] as Schema), asRead } };
}

function describeParameter(name: string): Schema | undefined {
  switch (name) {
    case 'page_size':
      return { type: 'integer', default: 25, description: '10 to 100; smaller and larger numbers count as these.' };
    case 'page_token':
      return { type: 'string', description: 'The nextPageToken of the previous page; valid for 24 hours and for the same request.' };
    default:
      return undefined;
  }
}

function jsonBody(schema: Schema, examples: Schema | undefined): Schema {
  return { content: { 'application/json': { schema, ...(examples === undefined ? {} : { examples }) } } };
}

const describeOptionally = (description: string | undefined): Schema => (description === undefined ? {} : { description });

const csvBody: Schema = {
  required: true,
  description: 'A CSV file of any size, plain or with Content-Encoding: gzip.',
  content: { 'text/csv': { schema: { type: 'string' } } },
};

const objectReply = (description: string, properties: Schema): Schema => ({
  description,
  content: { 'application/json': { schema: { type: 'object', properties } } },
});

const tokenFields: Schema = {
  grant_type: { type: 'string', const: 'client_credentials' },
  client_id: { type: 'string' },
  client_secret: { type: 'string', description: 'Either this or an assertion.' },
  client_assertion_type: { type: 'string', const: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer' },
  client_assertion: {
    type: 'string',
    description: 'A JWT signed with the key of the secret (alg EdDSA or Ed25519): iss, sub, aud, exp within five minutes.',
  },
};

const tokenError = (description: string): Schema =>
  objectReply(description, { error: { type: 'string' }, error_description: { type: 'string' } });

const tokenPaths: Record<string, Schema> = {
  '/auth/v1/token': {
    post: {
      operationId: 'issueToken',
      tags: ['Tokens'],
      summary: 'Exchange a credential for an access token (RFC 6749 section 4.4, RFC 7523)',
      security: [],
      requestBody: {
        required: true,
        content: {
          'application/x-www-form-urlencoded': {
            schema: { type: 'object', required: ['grant_type', 'client_id'], properties: tokenFields },
          },
        },
      },
      responses: {
        200: objectReply('A token.', {
          access_token: { type: 'string' },
          token_type: { type: 'string', const: 'Bearer' },
          expires_in: { type: 'integer', description: 'In seconds.' },
        }),
        400: tokenError('The request is not valid.'),
        401: tokenError('The credential is not accepted.'),
        429: tokenError('Too many failed attempts; see Retry-After.'),
      },
    },
  },
  '/.well-known/jwks.json': {
    get: {
      operationId: 'getSigningKeys',
      tags: ['Tokens'],
      summary: 'The public keys that sign access tokens',
      security: [],
      responses: { 200: objectReply('A JSON Web Key Set.', { keys: { type: 'array', items: { type: 'object' } } }) },
    },
  },
  '/.well-known/oauth-authorization-server': {
    get: {
      operationId: 'getAuthorizationServerMetadata',
      tags: ['Tokens'],
      summary: 'Where tokens come from (RFC 8414)',
      security: [],
      responses: {
        200: objectReply('Metadata.', { issuer: { type: 'string' }, token_endpoint: { type: 'string' }, jwks_uri: { type: 'string' } }),
      },
    },
  },
};

const probe = (operationId: string, summary: string, reply: Schema): Schema => ({
  get: {
    operationId,
    tags: ['Operation'],
    summary,
    security: [],
    responses: { 200: reply, 503: { $ref: '#/components/responses/Unavailable' } },
  },
});

const probePaths: Record<string, Schema> = {
  '/healthz': probe('checkAlive', 'Whether the process is alive', objectReply('Alive.', { status: { type: 'string' } })),
  '/readyz': probe('checkReady', 'Whether requests can be served', objectReply('Ready.', { status: { type: 'string' } })),
  '/metrics': probe('getMetrics', 'Numbers for Prometheus', {
    description: 'Metrics.',
    content: { 'text/plain': { schema: { type: 'string' } } },
  }),
};
