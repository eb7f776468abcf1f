/** The address of a client behind proxies: the last one that no trusted proxy has, and none where a trusted proxy does not say it. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createClientAddress } from './client-address.ts';

const proxies = createClientAddress(['10.0.0.0/8', 'loopback', '2001:db8:1::/48']);

describe('the address of a client', () => {
  it.each([
    ['203.0.113.7', '', '203.0.113.7'],
    ['::ffff:203.0.113.7', '', '203.0.113.7'],
    ['203.0.113.7', '198.51.100.1', '203.0.113.7'],
    ['10.0.0.1', '', '10.0.0.1'],
    ['::ffff:10.0.0.1', ' , ', '10.0.0.1'],
    ['10.0.0.1', '203.0.113.7:51234', '203.0.113.7'],
    ['::1', '[2001:db8::7]:443', '2001:db8::7'],
    ['10.0.0.1', '198.51.100.1, 203.0.113.7, 10.0.0.2:80', '203.0.113.7'],
    ['10.0.0.1', '203.0.113.7, [2001:db8:1::2]:1, ::ffff:10.0.0.2', '203.0.113.7'],
    ['10.0.0.1', '10.0.0.3, 10.0.0.2', '10.0.0.3'],
    ['10.0.0.1', 'unknown', ''],
    ['10.0.0.1', '203.0.113.7, unknown', ''],
    ['10.0.0.1', '203.0.113.7, _hidden, 10.0.0.2', ''],
    ['', '203.0.113.7', ''],
  ])('on a connection from %j with %j is %j', (socket, forwarded, address) => {
    expect(proxies(socket, forwarded)).toBe(address);
  });

  it('is that of the connection where no proxy is trusted', () => {
    fc.assert(fc.property(fc.string(), (forwarded) => createClientAddress([])('203.0.113.7', forwarded) === '203.0.113.7'));
  });

  it('does not depend on what a client wrote in front of what the proxy adds', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string(), fc.ipV4(), fc.ipV6()),
        fc.constantFrom('203.0.113.7', '2001:db8::7', 'unknown'),
        (written, added) => {
          expect(proxies('10.0.0.1', `${written}, ${added}`)).toBe(proxies('10.0.0.1', added));
        },
      ),
    );
  });
});
