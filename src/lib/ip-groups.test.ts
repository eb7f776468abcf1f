/** Addresses in one spelling: IPv4 that came in IPv6 is IPv4. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { unmapAddress } from './ip-groups.ts';

describe('unmapAddress', () => {
  it.each([
    ['::FFFF:192.0.2.1', '192.0.2.1'],
    ['::ffff:c000:201', '192.0.2.1'],
    ['0:0:0:0:0:ffff:192.0.2.1', '192.0.2.1'],
    ['0000:0000:0000:0000:0000:ffff:c000:0201', '192.0.2.1'],
    ['::ffff:192.0.2.1%eth0', '192.0.2.1'],
    ['192.0.2.1', '192.0.2.1'],
    ['2001:db8::1', '2001:db8::1'],
    ['fe80::1%eth0', 'fe80::1'],
    ['::192.0.2.1', '::192.0.2.1'],
    ['::ffff:0:c000:201', '::ffff:0:c000:201'],
    ['nonsense', 'nonsense'],
    ['', ''],
  ])('%j is %j', (given, address) => {
    expect(unmapAddress(given)).toBe(address);
  });

  it('never throws', () => {
    fc.assert(fc.property(fc.oneof(fc.string(), fc.ipV6(), fc.ipV4()), (text) => typeof unmapAddress(text) === 'string'));
  });
});
