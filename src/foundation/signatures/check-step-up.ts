/** Holds the step-up of a signature to the record that it was for, to its ID token, and to the event of the signature. */
import type { JsonObject } from '@bufbuild/protobuf';
import { isSignedBy, parseIdToken, publicMembers } from '../../lib/id-token.ts';
import { asList, asObject } from '../../lib/json.ts';
import { canonicalJson } from '../../lib/log/canonical-json.ts';
import type { Rule, SigningEvent } from './check-signature.ts';
import { sha256Of } from './record.ts';
import { describeStepUp, findBrokenRule, nonceOf } from './step-up/index.ts';
import type { KeptSignature, KeptStepUp } from './store-check.ts';

/** True if two values have the same canonical text; false where one has none. */
function areSame(one: unknown, other: unknown): boolean {
  try {
    return canonicalJson(one as never) === canonicalJson(other as never);
  } catch {
    return JSON.stringify(one) === JSON.stringify(other);
  }
}

/** Rules that hold a step-up to its signature; `found` is undefined where it is gone. */
export function* rulesOfStepUp(
  row: KeptSignature,
  record: JsonObject,
  found: KeptStepUp | undefined,
  event: SigningEvent,
): Generator<Rule> {
  if (found === undefined || row.transactionId === '') {
    yield [row.transactionId === '' && row.providerId === '', 'its step-up is gone, or was not asked for'];
    return;
  }
  const used = found.usedAt?.getTime();
  yield [found.signatureId === row.id && found.userId === row.userId, 'its step-up is for another signature, or by another person'];
  yield [found.providerId === row.providerId, 'its step-up is by another provider than its review asked for'];
  yield [found.state === 'VERIFIED' && found.errorMessage === '' && found.codeVerifier === '', 'its step-up did not prove who signed'];
  yield [found.nonce === nonceOf(found.id, sha256Of(row.record)), 'its step-up is over another record'];
  yield [used === event.occurredAt.getTime() && used === found.updatedAt.getTime(), 'its step-up was used at another time'];
  yield [found.createdAt >= row.preparedAt, 'its step-up was begun before it was prepared'];
  yield [isForItem(found, record), 'its step-up is about another item'];
  const recorded = event.data['stepUp'];
  yield [
    recorded === undefined || recorded === sha256Of(canonicalJson(describeStepUp(found))),
    'its step-up is not the one that its event recorded',
  ];
  yield* rulesOfToken(found);
}

function isForItem({ taskId, policyStepId }: KeptStepUp, record: JsonObject): boolean {
  const items = asList(record['decisions']).map((one) => asObject(one)['item']);
  return taskId === '' ? policyStepId === '' : items.length === 1 && items[0] === taskId;
}

function* rulesOfToken({ idToken, idTokenSha256, claims, provider, nonce, createdAt }: KeptStepUp): Generator<Rule> {
  if (idToken === '') {
    yield [idTokenSha256 !== '' && claims === null, 'its ID token is gone'];
    return;
  }
  const token = parseIdToken(idToken);
  if (token === undefined || provider === null) {
    yield [false, 'its ID token, or the key of the provider, cannot be read'];
    return;
  }
  const { issuer, audience: clientId, acrValues, key } = provider;
  const isKey = areSame(publicMembers(key), key) && (key.kid ?? '') === (token.header['kid'] ?? '');
  yield [isKey && isSignedBy(token, key), 'its ID token is not signed by the key that is kept beside it'];
  yield [idTokenSha256 === '' && areSame(claims, token.claims), 'its claims are not those of its ID token'];
  const now = new Date(Number(token.claims['iat']) * 1000);
  // The claim that was asked for is not kept, nor the directory: either claim may name the strength.
  const expected = { issuer, clientId, acrValues, directory: '', nonce, begunAt: createdAt, now };
  const broken = findBrokenRule(token.claims, { ...expected, claim: 'acr' });
  const isBroken = broken !== undefined && findBrokenRule(token.claims, { ...expected, claim: 'acrs' }) !== undefined;
  yield [!isBroken, `its ID token does not hold: ${(broken ?? '').replace(/\.$/, '')}`];
}
