/** Signed links: they work for 15 minutes, for one report of one tenant, and for nothing else. */
import { describe, expect, it } from 'vitest';
import { isLinkValid, signLink } from './sign-link.ts';

const secret = Buffer.alloc(32, 7);
const now = new Date('2026-03-01T00:00:00Z');

function partsOf(link: string) {
  const url = new URL(link);
  return {
    reportId: url.pathname.split('/').at(-1) ?? '',
    expires: url.searchParams.get('expires') ?? '',
    signature: url.searchParams.get('signature') ?? '',
  };
}

describe('a link to a report', () => {
  const link = signLink(secret, 'https://reviews.example.com', 'report1', now);

  it('is absolute and on the host the client used', () => {
    expect(link).toMatch(/^https:\/\/reviews\.example\.com\/reports\/report1\?expires=\d+&signature=[\w-]{43}$/);
  });
  it('works until its 15 minutes are over', () => {
    expect(isLinkValid(secret, partsOf(link), now)).toBe(true);
    expect(isLinkValid(secret, partsOf(link), new Date(now.getTime() + 899_000))).toBe(true);
    expect(isLinkValid(secret, partsOf(link), new Date(now.getTime() + 900_000))).toBe(false);
  });
  it.each([
    ['another report', { reportId: 'report2' }],
    ['a later end', { expires: '99999999999' }],
    ['no end', { expires: '' }],
    ['an end that is no number', { expires: 'NaN' }],
    ['another signature', { signature: 'A'.repeat(43) }],
    ['no signature', { signature: '' }],
  ])('does not work with %s', (_, change) => {
    expect(isLinkValid(secret, { ...partsOf(link), ...change }, now)).toBe(false);
  });
  it("does not work under another tenant's secret", () => {
    expect(isLinkValid(Buffer.alloc(32, 8), partsOf(link), now)).toBe(false);
  });
});
