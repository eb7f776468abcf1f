/**
 * A small S3 store for tests: ListObjectsV2 in short pages and GetObject, with If-Match. It verifies signatures (AWS Signature Version 4) by itself, by
 * the text of Amazon, and shares no code with what signs them.
 */
import { createHash, createHmac } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A store that runs. */
export interface S3Store {
  readonly endpoint: string;
  readonly port: number;
  /** Objects by bucket and key, as `bucket/key`. */
  readonly objects: Map<string, { readonly bytes: Buffer; readonly modifiedAt: Date }>;
  /** Requests that it got, without their signatures. */
  readonly requests: string[];
  /** Answers in place of the store; true where it did. */
  instead: (request: IncomingMessage, response: ServerResponse) => boolean;
  close(): Promise<void>;
}

const region = 'eu-test-1';
const pageSize = 2;

/** The key of the store. */
export const s3Key = { region, accessKeyId: 'AKIAIOSFODNN7EXAMPLE', secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY' } as const;

const hex = (text: string): string => createHash('sha256').update(text).digest('hex');
const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();
const uriEncode = (text: string): string =>
  Array.from(Buffer.from(text, 'utf8'), (byte) =>
    /[A-Za-z0-9\-._~]/.test(String.fromCharCode(byte)) ? String.fromCharCode(byte) : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`,
  ).join('');
const xmlText = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

/** Returns the code of what is wrong with a signature; '' for a good one. */
function findFault({ method = '', url = '', headers }: IncomingMessage): string {
  const { authorization = '' } = headers;
  const found =
    /^AWS4-HMAC-SHA256 Credential=(?<id>[^/]+)\/(?<day>\d{8})\/(?<where>[^/]+)\/s3\/aws4_request, SignedHeaders=(?<names>[a-z0-9;-]+), Signature=(?<signature>[0-9a-f]{64})$/.exec(
      authorization,
    )?.groups;
  const time = String(headers['x-amz-date']);
  if (found === undefined || !/^\d{8}T\d{6}Z$/.test(time)) {
    return 'AccessDenied';
  }
  const { id, day = '', where = '', names = '', signature } = found;
  if (id !== s3Key.accessKeyId) {
    return 'InvalidAccessKeyId';
  }
  if (where !== region) {
    return 'AuthorizationHeaderMalformed';
  }
  const at = Date.parse(time.replace(/(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z/, '$1-$2-$3T$4:$5:$6Z'));
  if (Math.abs(Date.now() - at) > 15 * 60_000 || !time.startsWith(day)) {
    return 'RequestTimeTooSkewed';
  }
  const signed = names.split(';');
  const mustBeSigned = Object.keys(headers).filter((name) => name === 'host' || name.startsWith('x-amz-'));
  if (!mustBeSigned.every((name) => signed.includes(name))) {
    return 'AccessDenied';
  }
  const [path = '', query = ''] = url.split('?');
  const pairs = [...new URLSearchParams(query.replaceAll('+', '%2B'))].map((pair) => pair.map(uriEncode)).sort();
  const canonical = [
    method,
    path
      .split('/')
      .map((part) => uriEncode(decodeURIComponent(part)))
      .join('/'),
    pairs.map((pair) => pair.join('=')).join('&'),
    ...signed.map((name) => `${name}:${String(headers[name]).trim().replaceAll(/ +/g, ' ')}`),
    '',
    names,
    headers['x-amz-content-sha256'],
  ].join('\n');
  const scope = `${day}/${region}/s3/aws4_request`;
  const key = [day, region, 's3', 'aws4_request'].reduce<string | Buffer>(hmac, `AWS4${s3Key.secretAccessKey}`);
  const wanted = hmac(key, ['AWS4-HMAC-SHA256', time, scope, hex(canonical)].join('\n')).toString('hex');
  return wanted === signature ? '' : 'SignatureDoesNotMatch';
}

const etagOf = (bytes: Buffer): string => `"${createHash('md5').update(bytes).digest('hex')}"`;

function list(store: S3Store, bucket: string, query: URLSearchParams): string {
  const prefix = query.get('prefix') ?? '';
  const from = query.get('continuation-token') ?? '';
  const under = [...store.objects.keys()]
    .filter((path) => path.startsWith(`${bucket}/${prefix}`))
    .map((path) => path.slice(bucket.length + 1));
  const isDeep = (key: string): boolean => query.get('delimiter') === '/' && key.slice(prefix.length).includes('/');
  const keys = under.filter((key) => !isDeep(key) && key > from).sort();
  const page = keys.slice(0, pageSize);
  const more = keys.length > pageSize;
  const contents = page.map((key) => {
    const { bytes, modifiedAt } = store.objects.get(`${bucket}/${key}`) as { bytes: Buffer; modifiedAt: Date };
    const shown = query.get('encoding-type') === 'url' ? uriEncode(key).replaceAll('%20', '+').replaceAll('%2F', '/') : xmlText(key);
    const owner = '<Owner><ID>1</ID></Owner>';
    return `<Contents><Key>${shown}</Key><LastModified>${modifiedAt.toISOString()}</LastModified><ETag>${xmlText(etagOf(bytes))}</ETag><Size>${bytes.length}</Size>${owner}<StorageClass>STANDARD</StorageClass></Contents>`;
  });
  return `<?xml version="1.0" encoding="UTF-8"?>
<ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Name>${bucket}</Name><Prefix>${xmlText(prefix)}</Prefix><KeyCount>${page.length}</KeyCount><MaxKeys>1000</MaxKeys><EncodingType>${query.get('encoding-type') ?? ''}</EncodingType><IsTruncated>${more}</IsTruncated>${more ? `<NextContinuationToken>${xmlText(page.at(-1) ?? '')}</NextContinuationToken>` : ''}${contents.join('')}</ListBucketResult>`;
}

function answer(store: S3Store, request: IncomingMessage, response: ServerResponse): void {
  const url = new URL(request.url ?? '', store.endpoint);
  store.requests.push(`${request.method} ${url.pathname}${url.search}`);
  if (store.instead(request, response)) {
    return;
  }
  const refuse = (status: number, code: string): void => {
    const error = `<?xml version="1.0"?><Error><Code>${code}</Code><Message>secret words of the store</Message></Error>`;
    response.writeHead(status, { 'content-type': 'application/xml', 'x-amz-bucket-region': region }).end(error);
  };
  const fault = findFault(request);
  if (fault !== '') {
    refuse(fault === 'AuthorizationHeaderMalformed' ? 400 : 403, fault);
    return;
  }
  const [bucket = '', ...parts] = url.pathname.slice(1).split('/').map(decodeURIComponent);
  const key = parts.join('/');
  if (![...store.objects.keys()].some((path) => path.startsWith(`${bucket}/`))) {
    refuse(404, 'NoSuchBucket');
  } else if (key === '') {
    response.writeHead(200, { 'content-type': 'application/xml' }).end(list(store, bucket, url.searchParams));
  } else {
    const object = store.objects.get(`${bucket}/${key}`);
    const wanted = request.headers['if-match'];
    if (object === undefined) {
      refuse(404, 'NoSuchKey');
    } else if (wanted !== undefined && wanted !== etagOf(object.bytes)) {
      refuse(412, 'PreconditionFailed');
    } else {
      const { bytes, modifiedAt } = object;
      response
        .writeHead(200, { 'content-length': bytes.length, etag: etagOf(bytes), 'last-modified': modifiedAt.toUTCString() })
        .end(bytes);
    }
  }
}

/** Starts a store. */
export async function startS3Store(): Promise<S3Store> {
  const server: Server = createServer((request, response) => answer(store, request, response));
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  const store: S3Store = {
    endpoint: `http://127.0.0.1:${port}`,
    port,
    objects: new Map(),
    requests: [],
    instead: () => false,
    close: () =>
      new Promise((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
  return store;
}
