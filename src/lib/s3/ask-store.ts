/** Requests to an S3 store: signed, and refused in words of ours. No redirect is followed, and nothing of an answer is shown but its code. */
import { FetchFault } from '../tables/fetch-fault.ts';
import { announcedBytes, type Answered, ask, type AskParts, readShort } from '../web-files/ask.ts';
import { findEndpoint, type S3Settings } from './settings.ts';

const maxErrorBytes = 64 * 1024;

/** A store, and the secret it is asked with. */
export interface Store {
  readonly settings: S3Settings;
  readonly secretAccessKey: string;
  readonly parts: AskParts;
  readonly now: () => Date;
}

/** Returns the address of a key in the bucket, or of the bucket; the bucket is in the path, which every store knows. */
export function addressOf(settings: S3Settings, key: string): URL {
  const path = [settings.bucket, ...key.split('/')].map(encode).join('/');
  return new URL(`/${path}`, findEndpoint(settings));
}

/** As signatures need it: all but the unreserved characters. */
function encode(text: string): string {
  return encodeURIComponent(text).replaceAll(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);
}

/** Asks the store, and returns a good answer. Throws a FetchFault for any other. */
export async function askStore(store: Store, url: URL, headers: Readonly<Record<string, string>> = {}): Promise<Answered> {
  const { settings, secretAccessKey, parts, now } = store;
  const { AwsV4Signer } = await import('aws4fetch');
  const { accessKeyId, region } = settings;
  const datetime = now()
    .toISOString()
    .replaceAll(/[:-]|\.\d{3}/g, '');
  const signer = new AwsV4Signer({ url: url.href, headers: { ...headers }, accessKeyId, secretAccessKey, service: 's3', region, datetime });
  const signed = await signer.sign();
  const answer = await ask(parts, { url: signed.url, headers: Object.fromEntries(signed.headers), follows: false });
  if (answer.status !== 200) {
    throw await explain(store, answer);
  }
  return answer;
}

async function explain({ settings, parts: { signal } }: Store, answer: Answered): Promise<FetchFault> {
  const { status, headers, body, url } = answer;
  const bytes = announcedBytes(answer);
  const text = (await readShort(body, { signal, host: url.host, bytes }, maxErrorBytes).catch(() => undefined))?.toString('utf8') ?? '';
  signal.throwIfAborted();
  const code = /<Code>([A-Za-z0-9]{1,64})<\/Code>/.exec(text)?.[1] ?? '';
  const found = headers['x-amz-bucket-region'];
  const region = typeof found === 'string' && /^[a-z0-9-]{1,63}$/.test(found) ? found : undefined;
  const said = `${url.host} answered ${status}${code === '' ? '' : ` (${code})`}`;
  if (status === 412) {
    return new FetchFault('HALF', 'The object was replaced while it was read.');
  }
  if ((status >= 300 && status < 400) || code === 'AuthorizationHeaderMalformed') {
    const advice =
      region === undefined
        ? 'Set the region and the endpoint of the bucket'
        : `Set the region ${region}, and its endpoint if you have set one`;
    return new FetchFault('SETTINGS', `The bucket ${JSON.stringify(settings.bucket)} lies elsewhere: ${said}. ${advice}.`);
  }
  if (code === 'RequestTimeTooSkewed') {
    return new FetchFault('UNREACHED', `The clock of this server and that of the store differ: ${said}.`);
  }
  if (status === 401 || status === 403) {
    const advice = 'Check the access key and its secret, and that it may list the bucket and read its objects';
    return new FetchFault('REFUSED', `The store refuses the access key: ${said}. ${advice}.`);
  }
  if (code === 'NoSuchBucket') {
    return new FetchFault('SETTINGS', `The store has no bucket ${JSON.stringify(settings.bucket)}: ${said}.`);
  }
  const isFinal = status >= 400 && status < 500 && ![404, 408, 425, 429].includes(status);
  const after = Number(headers['retry-after'] ?? 0);
  const retryAfterSeconds = Number.isFinite(after) ? after : 0;
  return new FetchFault(isFinal ? 'REFUSED' : 'UNREACHED', `The store gives no answer that is good: ${said}.`, { retryAfterSeconds });
}
