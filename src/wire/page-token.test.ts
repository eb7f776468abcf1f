/** Page tokens: good for one tenant, operation and filter, for a day, and unreadable. */
import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { filterOf, openPageToken, type PageBinding, sealPageToken } from './page-token.ts';

const now = new Date('2026-05-01T12:00:00Z');
const secondsLater = (seconds: number): Date => new Date(now.getTime() + seconds * 1000);
const binding: PageBinding = {
  tenantId: 'tenant one',
  tenantSecret: randomBytes(32),
  operation: 'c1.api.app.v1.AppService.List',
  filter: filterOf({ query: 'x' }),
};
const refused = expect.objectContaining({ code: 'INVALID_ARGUMENT', violations: [expect.objectContaining({ field: 'page_token' })] });

describe('page tokens', () => {
  it('give back the key they were made with', () => {
    fc.assert(
      fc.property(fc.array(fc.string(), { maxLength: 4 }), (key) => {
        expect(openPageToken(binding, sealPageToken(binding, key, now), now)).toEqual(key);
      }),
    );
  });

  it('work with the secret read anew', () => {
    const token = sealPageToken(binding, ['a'], now);
    expect(openPageToken({ ...binding, tenantSecret: Buffer.from(binding.tenantSecret) }, token, now)).toEqual(['a']);
  });

  it('tell nothing of the key and are never the same', () => {
    const token = sealPageToken(binding, ['a key that is easy to find'], now);
    expect(Buffer.from(token, 'base64url').toString('latin1')).not.toContain('easy');
    expect(sealPageToken(binding, ['a'], now)).not.toBe(sealPageToken(binding, ['a'], now));
  });

  it.each([
    ['another tenant', { tenantId: 'tenant two' }],
    ['another secret', { tenantSecret: randomBytes(32) }],
    ['another operation', { operation: 'c1.api.app.v1.AppService.Get' }],
    ['another filter', { filter: filterOf({ query: 'y' }) }],
  ])('are refused for %s', (_, other) => {
    const token = sealPageToken(binding, ['a'], now);
    expect(() => openPageToken({ ...binding, ...other }, token, now)).toThrow(refused);
  });

  it('live for 24 hours', () => {
    const token = sealPageToken(binding, ['a'], now);
    expect(openPageToken(binding, token, secondsLater(24 * 3600))).toEqual(['a']);
    expect(() => openPageToken(binding, token, secondsLater(24 * 3600 + 1))).toThrow(refused);
    expect(() => openPageToken(binding, token, secondsLater(-301))).toThrow(refused);
  });

  it('are refused when anything in them is changed', () => {
    const token = sealPageToken(binding, ['a'], now);
    for (let place = 0; place < token.length; place++) {
      const changed = `${token.slice(0, place)}${token[place] === 'A' ? 'B' : 'A'}${token.slice(place + 1)}`;
      expect(() => openPageToken(binding, changed, now)).toThrow(refused);
    }
    for (const text of [token.slice(1), `${token}A`, `${token}=`, ` ${token}`, 'x', '.', 'A'.repeat(10_000), 'é']) {
      expect(() => openPageToken(binding, text, now)).toThrow(refused);
    }
  });

  it('are bound to all of a request but page size, token and expansion', () => {
    const filter = filterOf({ query: 'x', ids: ['a', 'b'] });
    expect(filterOf({ ids: ['a', 'b'], query: 'x', pageSize: 50, pageToken: 'y', expandMask: { paths: ['*'] } })).toBe(filter);
    expect(filterOf({ query: 'x', ids: ['b', 'a'] })).not.toBe(filter);
  });
});
