/** Claims that an ID token of a step-up has to have: each wrong once. */
import { expect, it } from 'vitest';
import { type Expectation, findBrokenRule } from './check-claims.ts';

const now = new Date('2026-11-27T09:00:00Z');
const seconds = now.getTime() / 1000;
const expected: Expectation = {
  issuer: 'https://idp.example.com',
  clientId: 'countersign',
  acrValues: ['urn:example:mfa', 'urn:example:key'],
  claim: 'acr',
  directory: '',
  nonce: 'nonce',
  begunAt: new Date(now.getTime() - 60_000),
  now,
};
const good = {
  iss: expected.issuer,
  sub: 'mona',
  aud: expected.clientId,
  exp: seconds + 300,
  iat: seconds,
  auth_time: seconds - 5,
  nonce: 'nonce',
  acr: 'urn:example:key',
};

it.each([
  [{}],
  [{ aud: ['countersign'] }],
  [{ aud: ['countersign', 'other'], azp: 'countersign' }],
  [{ exp: seconds - 59 }],
  [{ auth_time: seconds - 119 }],
])('accepts %j', (claims) => {
  expect(findBrokenRule({ ...good, ...claims }, expected)).toBeUndefined();
});

it.each([
  [{ iss: 'https://idp.example.com/' }, 'another issuer'],
  [{ aud: 'other' }, 'for another client'],
  [{ aud: [] }, 'for another client'],
  [{ aud: ['countersign', 'other'] }, 'for another client'],
  [{ azp: 'other' }, 'issued to another client'],
  [{ exp: seconds - 60 }, 'has expired'],
  [{ exp: undefined }, 'has expired'],
  [{ iat: seconds + 61 }, 'from the future'],
  [{ nonce: 'other' }, 'another signature'],
  [{ nonce: undefined }, 'another signature'],
  [{ auth_time: undefined }, 'does not say when'],
  [{ auth_time: seconds - 121 }, 'did not ask you anew'],
  [{ auth_time: seconds + 61 }, 'did not ask you anew'],
  [{ acr: 'urn:example:password' }, 'in the way'],
  [{ acr: undefined }, 'in the way'],
  [{ acr: undefined, acrs: ['urn:example:mfa'] }, 'in the way'],
  [{ sub: '' }, 'names nobody'],
  [{ sub: 7 }, 'names nobody'],
])('refuses %j: %s', (claims, words) => {
  expect(findBrokenRule({ ...good, ...claims }, expected)).toContain(words);
});

it('looks for an authentication context of Microsoft in acrs', () => {
  const microsoft: Expectation = { ...expected, acrValues: ['c1'], claim: 'acrs' };
  expect(findBrokenRule({ ...good, acr: 'c1' }, microsoft)).toContain('in the way');
  expect(findBrokenRule({ ...good, acrs: ['c2'] }, microsoft)).toContain('in the way');
  expect(findBrokenRule({ ...good, acrs: ['c2', 'c1'] }, microsoft)).toBeUndefined();
});

it('asks for no acr where none is configured', () => {
  expect(findBrokenRule({ ...good, acr: undefined }, { ...expected, acrValues: [] })).toBeUndefined();
});
