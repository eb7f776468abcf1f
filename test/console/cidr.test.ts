/** Whether an address lies within a block, as the form of a credential says it beside the field. */
import { describe, expect, it } from 'vitest';
import { isBlock, liesIn } from '../../console/src/data/cidr.ts';

describe('an address', () => {
  it.each([
    ['203.0.113.44', '203.0.113.0/24'],
    ['203.0.113.44', '203.0.113.44/32'],
    ['203.0.113.44', '203.0.113.44'],
    ['203.0.113.44', '0.0.0.0/0'],
    ['2001:db8::1', '2001:db8::/48'],
    ['2001:DB8:0:0:0:0:0:1', '2001:db8::1/128'],
    ['2001:db8::1', '::/0'],
    ['::1', '::1'],
    ['::ffff:203.0.113.44', '203.0.113.0/24'],
    ['203.0.113.44', '::ffff:203.0.113.44'],
  ])('%s lies in %s', (address, block) => {
    expect(liesIn(address, block)).toBe(true);
  });

  it.each([
    ['203.0.114.44', '203.0.113.0/24'],
    ['203.0.113.45', '203.0.113.44/32'],
    ['2001:db9::1', '2001:db8::/32'],
    ['203.0.113.44', '::/0'],
    ['2001:db8::1', '0.0.0.0/0'],
    ['', '0.0.0.0/0'],
    ['203.0.113', '0.0.0.0/0'],
    ['203.0.113.256', '0.0.0.0/0'],
    ['203.0.113.44', '203.0.113.0/33'],
    ['203.0.113.44', '203.0.113.0/-1'],
    ['203.0.113.44', 'everywhere'],
    ['1:2:3:4:5:6:7:8:9', '::/0'],
    ['1::2::3', '::/0'],
  ])('%s does not lie in %s', (address, block) => {
    expect(liesIn(address, block)).toBe(false);
  });
});

describe('a block', () => {
  it.each(['10.0.0.0/8', '10.1.2.3', '::/0', '2001:db8::/48', '::ffff:10.0.0.1', '10.0.0.0/0'])('can be %s', (block) => {
    expect(isBlock(block)).toBe(true);
  });
  it.each(['', '/', '10.0.0.0/', '10.0.0.0/33', '10.0.0/8', 'office', '2001:db8::/129', '10.0.0.0/8x', 'g::/16'])(
    'cannot be %s',
    (block) => {
      expect(isBlock(block)).toBe(false);
    },
  );
});
