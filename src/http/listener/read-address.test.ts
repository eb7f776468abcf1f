/** Addresses as proxies write them, in one spelling; what names none is none. */
import fc from 'fast-check';
import { isIP } from 'node:net';
import { describe, expect, it } from 'vitest';
import { readAddress } from './read-address.ts';

describe('readAddress', () => {
  it.each([
    ['203.0.113.7', '203.0.113.7'],
    ['203.0.113.7:51234', '203.0.113.7'],
    [' 203.0.113.7\t', '203.0.113.7'],
    ['"203.0.113.7:51234"', '203.0.113.7'],
    ['2001:DB8:0:0::7', '2001:db8::7'],
    ['[2001:db8::7]', '2001:db8::7'],
    ['[2001:db8::7]:443', '2001:db8::7'],
    ['"[2001:db8::7]:443"', '2001:db8::7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['[::FFFF:cb00:7107]:443', '203.0.113.7'],
    ['fe80::1%eth0', 'fe80::1'],
    ['[fe80::1%25eth0]:80', 'fe80::1'],
    ['fe80::1%', 'fe80::1'],
    ['::1', '::1'],
  ])('reads %j as %s', (text, address) => {
    expect(readAddress(text)).toBe(address);
  });

  it.each([
    ...['', ' ', '"', '""', 'unknown', '_hidden', 'unix:', 'localhost', 'example.com:80', '203.0.113', '203.0.113.7:', '203.0.113.7:x'],
    ...[
      '203.0.113.7:123456',
      '203.0.113.256',
      '010.0.0.1',
      '0x7f.0.0.1',
      '3405803783',
      '[203.0.113.7]:80',
      '[2001:db8::7',
      '2001:db8::7]:1',
    ],
    ...['[2001:db8::7]x', '[]', '[]:80', '203.0.113.7, 10.0.0.1', '203.0.113.7%eth0:80', '203.0.113.7/32'],
  ])('finds none in %j', (text) => {
    expect(readAddress(text)).toBeUndefined();
  });

  it('never throws, returns an address or none, and reads its own answers as they are', () => {
    const character = fc.constantFrom(...'0123456789abcdef.:[]%"/ x,_');
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.string({ unit: character }), fc.ipV4(), fc.ipV6()), (text) => {
        const address = readAddress(text);
        expect(address === undefined || (isIP(address) !== 0 && readAddress(address) === address)).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });

  it('is the same with a port or none, in brackets, in quotes, in any case', () => {
    fc.assert(
      fc.property(fc.oneof(fc.ipV4(), fc.ipV6()), fc.integer({ min: 0, max: 65_535 }), (ip, port) => {
        const bare = readAddress(ip);
        const withPort = isIP(ip) === 6 ? `[${ip}]:${port}` : `${ip}:${port}`;
        expect(bare).toBeDefined();
        expect([ip.toUpperCase(), ` ${ip} `, `"${ip}"`, withPort, `"${withPort}"`].map(readAddress)).toEqual(Array(5).fill(bare));
      }),
    );
  });
});
