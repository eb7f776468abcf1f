/** CIDR blocks: which texts are ones, and which addresses lie in them. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cidrProblem, compileCidrs, liesWithin } from './cidr.ts';

describe('cidrProblem', () => {
  it.each(['10.0.0.0/8', '192.0.2.7/32', '0.0.0.0/0', '2001:db8::/32', '::1/128', '::/0', '::ffff:10.0.0.0/104', '10.1.2.3/8'])(
    'takes %s',
    (text) => {
      expect(cidrProblem(text)).toBeUndefined();
    },
  );

  it.each([
    '',
    '10.0.0.0',
    '10.0.0.0/33',
    '10.0.0.0/-1',
    '10.0.0.0/08',
    '10.0.0/8',
    '10.0.0.256/8',
    '2001:db8::/129',
    'fe80::1%eth0/64',
    'example.com/8',
    '10.0.0.0/8 ',
    '10.0.0.0/8/8',
    '10.0.0.0/255.0.0.0',
    `${'1'.repeat(100)}/8`,
  ])('refuses %j', (text) => {
    expect(cidrProblem(text)).toMatch(/prefix length/);
  });

  it('never throws, and what it takes can be asked', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        if (cidrProblem(text) === undefined) {
          compileCidrs([text])('10.0.0.1');
        }
      }),
    );
  });
});

describe('compileCidrs', () => {
  it('lets every address in where there are no blocks', () => {
    expect(compileCidrs([])('203.0.113.9')).toBe(true);
    expect(compileCidrs([])('')).toBe(true);
  });

  it.each([
    [['10.0.0.0/8'], '10.255.255.255', true],
    [['10.0.0.0/8'], '11.0.0.0', false],
    [['::/0'], '10.1.2.3', false],
    [['::/0'], '::ffff:10.1.2.3', false],
    [['::/0'], '2001:db8::1', true],
    [['::/0', '10.0.0.0/8'], '10.1.2.3', true],
    [['10.0.0.0/8'], '::ffff:10.1.2.3', true],
    [['10.0.0.0/8'], '::ffff:a01:203', true],
    [['10.0.0.0/8'], '::ffff:11.1.2.3', false],
    [['::ffff:10.0.0.0/104'], '10.1.2.3', true],
    [['::ffff:10.0.0.0/104'], '11.1.2.3', false],
    [['::ffff:a00:0/104'], '10.1.2.3', true],
    [['::ffff:a00:0/104'], '11.1.2.3', false],
    [['0:0:0:0:0:ffff:10.0.0.0/104'], '10.1.2.3', true],
    [['10.0.0.0/8'], '0:0:0:0:0:ffff:10.1.2.3', true],
    [['2001:db8::/32'], '2001:db8:1::5', true],
    [['2001:db8::/32'], '2001:db9::5', false],
    [['2001:db8::/32'], '10.1.2.3', false],
    [['fe80::/10'], 'fe80::1%eth0', true],
    [['0.0.0.0/0'], '2001:db8::1', false],
    [['10.0.0.0/8', '2001:db8::/32'], '2001:db8::1', true],
    [['::1/128'], '::1', true],
    [['::1/128'], '127.0.0.1', false],
    [['192.0.2.1/32'], '192.0.2.1', true],
    [['192.0.2.1/32'], '192.0.2.2', false],
    [['10.0.0.0/8'], '', false],
    [['10.0.0.0/8'], 'nonsense', false],
    [['nonsense'], '10.0.0.1', false],
  ])('%j and %s: %s', (blocks, address, allowed) => {
    expect(compileCidrs(blocks)(address)).toBe(allowed);
  });

  it('agrees with arithmetic on IPv4', () => {
    const octets = fc.tuple(fc.nat(255), fc.nat(255), fc.nat(255), fc.nat(255));
    const number = (o: readonly number[]) => o.reduce((sum, one) => sum * 256 + one, 0);
    fc.assert(
      fc.property(octets, octets, fc.nat(32), fc.boolean(), (block, address, prefix, isMapped) => {
        const size = 2 ** (32 - prefix);
        const wanted = Math.floor(number(block) / size) === Math.floor(number(address) / size);
        const given = `${isMapped ? '::ffff:' : ''}${address.join('.')}`;
        return compileCidrs([`${block.join('.')}/${prefix}`])(given) === wanted;
      }),
    );
  });

  it('finds every address of an IPv6 block in it', () => {
    fc.assert(fc.property(fc.ipV6(), (address) => compileCidrs([`${address}/128`])(address)));
  });
});

describe('liesWithin', () => {
  it.each([
    [['10.1.0.0/16'], ['::ffff:10.0.0.0/104'], true],
    [['::ffff:a01:0/112'], ['10.0.0.0/8'], true],
    [['0:0:0:0:0:ffff:10.1.0.0/112'], ['::ffff:a00:0/104'], true],
    [['::ffff:b01:0/112'], ['10.0.0.0/8'], false],
    [['10.0.0.0/7'], ['10.0.0.0/8'], false],
  ])('%j in %j: %s', (inner, outer, expected) => {
    expect(liesWithin(inner, outer)).toBe(expected);
  });
});
