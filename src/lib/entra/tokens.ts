/** Access tokens of the app, asked for at the token endpoint of its directory and kept until they are about to end. */
import { FetchFault } from '../tables/fetch-fault.ts';
import { asObject } from '../json.ts';
import { type EntraSecrets, proveClient } from './credential.ts';
import { type EntraSettings, hostsOf } from './settings.ts';
import { countTries, type Failed, isPassing, pauseFor, type RequestParts, sendOnce } from './tries.ts';
import { parseJson, quoteWords } from './words.ts';

const task = 'Signing in';
/** Before its end a token is replaced. */
const marginMs = 300_000;

/** Tokens of one app. */
export interface Tokens {
  /** Returns a token that is good for a while. */
  get(): Promise<string>;
  /** Forgets a token that was refused. */
  drop(token: string): void;
}

/** Makes the tokens of an app. The secrets are read anew for each, since federated tokens live shorter than a fetch may last. */
export function createTokens(settings: EntraSettings, readSecrets: () => Promise<EntraSecrets>, parts: RequestParts): Tokens {
  const { login, graph } = hostsOf(settings.cloud);
  const endpoint = `https://${login}/${settings.tenantId}/oauth2/v2.0/token`;
  // The first request tells of the way to it; those that follow go there, too.
  let { noteStep } = parts;
  let current: { readonly token: string; readonly until: number } | undefined;

  const ask = async (): Promise<{ token: string; until: number }> => {
    const count = countTries(task);
    const tryAgain = (failed: Failed) => pauseFor(count(failed), parts);
    for (;;) {
      const secrets = await readSecrets();
      const asked = parts.now();
      const proof = proveClient(secrets, settings.clientId, endpoint, asked);
      const form = { grant_type: 'client_credentials', client_id: settings.clientId, scope: `https://${graph}/.default`, ...proof };
      const headers = { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' };
      const answer = await sendOnce(parts, endpoint, { method: 'POST', headers, body: new URLSearchParams(form).toString(), noteStep });
      noteStep = undefined;
      const body = 'reason' in answer ? {} : asObject(parseJson(answer.text));
      if ('reason' in answer) {
        await tryAgain(answer);
      } else if (isPassing(answer.status)) {
        await tryAgain({ reason: `the sign-in server answered ${answer.status}`, retryAfter: answer.retryAfter });
      } else if (answer.status !== 200) {
        throw refuse(body, Object.values(secrets));
      } else {
        const { access_token: token, expires_in: seconds } = body;
        if (typeof token === 'string' && /^[\x21-\x7e]+$/.test(token) && Number(seconds) > 0) {
          parts.noteStep?.('SIGN_IN', settings.clientId);
          return { token, until: asked.getTime() + Number(seconds) * 1000 };
        }
        await tryAgain({ reason: 'the sign-in server answered without a token', retryAfter: undefined });
      }
    }
  };
  return {
    async get() {
      if (current === undefined || current.until - marginMs <= parts.now().getTime()) {
        current = await ask();
      }
      return current.token;
    },
    drop(token) {
      current = current?.token === token ? undefined : current;
    },
  };
}

/** Codes of the sign-in server whose remedy is known. */
const remedies: readonly (readonly [code: RegExp, remedy: string, field: string])[] = [
  [/AADSTS(90002|900023|500021)\b/, 'there is no such directory in this cloud; check tenantId and cloud', 'tenantId'],
  [/AADSTS(700016|7000112)\b/, 'the directory has no such app, or it is disabled; check clientId', 'clientId'],
  [/AADSTS7000215\b/, 'the client secret is wrong; set the value of the secret, not its ID', 'clientSecret'],
  [/AADSTS7000222\b/, 'the client secret has ended; make a new one and set it', 'clientSecret'],
  [/AADSTS(700027|700030|7000214)\b/, 'the certificate is not the one of the app; upload its public part to the app', 'certificate'],
  [/AADSTS(70021|700211|700212|700213|7002138|700024)\b/, 'no federated credential of the app fits the token', 'federatedToken'],
];

function refuse(body: Readonly<Record<string, unknown>>, secrets: readonly string[]): FetchFault {
  const said = String(body.error_description ?? body.error ?? '').split(/\s*(?:Trace ID|Correlation ID|Timestamp):/)[0] as string;
  const plain = secrets.reduce((text, secret) => (secret === '' ? text : text.replaceAll(secret, '***')), said);
  const [, known = 'Microsoft refused the app', field = ''] = remedies.find(([code]) => code.test(said)) ?? [];
  return new FetchFault('REFUSED', `${task} failed: ${known}.${quoteWords(plain)}`, { field });
}
