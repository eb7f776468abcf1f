/** The form of a token request: both flows, and everything that is refused before anything is looked up. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isTokenError, parseTokenRequest } from './parse-token-request.ts';

const type = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';
const form = (fields: Record<string, string>) => new URLSearchParams(fields).toString();
const secretForm = { grant_type: 'client_credentials', client_id: 'a@b/pcc', client_secret: 's' };
const assertionForm = { grant_type: 'client_credentials', client_id: 'a@b/pcc', client_assertion_type: type, client_assertion: 'x.y.z' };

describe('parseTokenRequest', () => {
  it('reads both flows', () => {
    expect(parseTokenRequest(form(secretForm))).toEqual({ clientId: 'a@b/pcc', proof: 'secret', secret: 's' });
    expect(parseTokenRequest(form(assertionForm))).toEqual({ clientId: 'a@b/pcc', proof: 'assertion', assertion: 'x.y.z' });
  });

  it('ignores fields it does not know, even repeated ones', () => {
    expect(parseTokenRequest(`${form(secretForm)}&resource=a&resource=b&audience=c`)).toMatchObject({ proof: 'secret' });
  });

  it('counts empty fields as absent', () => {
    expect(parseTokenRequest(form({ ...assertionForm, client_secret: '' }))).toMatchObject({ proof: 'assertion' });
  });

  it.each([
    ['no grant_type', form({ client_id: 'a', client_secret: 's' }), 400, 'invalid_request'],
    ['another grant_type', form({ ...secretForm, grant_type: 'password' }), 400, 'unsupported_grant_type'],
    ['no client_id', form({ grant_type: 'client_credentials', client_secret: 's' }), 400, 'invalid_request'],
    ['no proof', form({ grant_type: 'client_credentials', client_id: 'a' }), 401, 'invalid_client'],
    ['both proofs', form({ ...secretForm, ...assertionForm }), 400, 'invalid_request'],
    ['a secret and an assertion type', form({ ...secretForm, client_assertion_type: type }), 400, 'invalid_request'],
    ['an assertion without its type', form({ ...assertionForm, client_assertion_type: '' }), 400, 'invalid_request'],
    ['an assertion of another type', form({ ...assertionForm, client_assertion_type: 'urn:x' }), 400, 'invalid_request'],
    ['a type without an assertion', form({ ...assertionForm, client_assertion: '' }), 400, 'invalid_request'],
    ['a repeated parameter', `${form(secretForm)}&client_id=a%40b%2Fpcc`, 400, 'invalid_request'],
    ['a repeated empty parameter', `${form(secretForm)}&client_secret=`, 400, 'invalid_request'],
    ['nothing', '', 400, 'invalid_request'],
  ])('refuses %s', (_what, body, status, error) => {
    expect(parseTokenRequest(body)).toMatchObject({ status, error });
  });

  it('never throws', () => {
    fc.assert(fc.property(fc.string(), (body) => typeof isTokenError(parseTokenRequest(body)) === 'boolean'));
  });
});
