/** Addresses on the internet, in every spelling, and what an operator's entry opens. */
import { describe, expect, it } from 'vitest';
import { allowsAddress, allowsPort, classifyAddress, isAllowedEntry } from './judge-address.ts';

describe('the class of an address', () => {
  it.each([
    ['93.184.216.34', 'public'],
    ['2606:4700::1111', 'public'],
    ['10.1.2.3', 'inner'],
    ['172.31.255.255', 'inner'],
    ['172.32.0.1', 'public'],
    ['192.168.0.1', 'inner'],
    ['100.64.0.1', 'inner'],
    ['fd00::1', 'inner'],
    ['127.0.0.1', 'never'],
    ['127.9.9.9', 'never'],
    ['0.0.0.0', 'never'],
    ['169.254.169.254', 'never'],
    ['224.0.0.1', 'never'],
    ['255.255.255.255', 'never'],
    ['::1', 'never'],
    ['::', 'never'],
    ['fe80::1%eth0', 'never'],
    ['ff02::1', 'never'],
    ['::ffff:127.0.0.1', 'never'],
    ['::ffff:7f00:1', 'never'],
    ['::ffff:10.0.0.1', 'never'],
    ['::ffff:93.184.216.34', 'public'],
    ['::127.0.0.1', 'never'],
    ['64:ff9b::7f00:1', 'never'],
    ['64:ff9b::5db8:d822', 'public'],
    ['2002:7f00:1::', 'never'],
    ['2002:a00:1::1', 'never'],
    ['2001:0:5db8:d822:0:0:80ff:fffe', 'never'],
    ['::ffff:0:127.0.0.1', 'never'],
    ['64:ff9b:1::1', 'never'],
    ['4000::1', 'never'],
    ['5f00::1', 'never'],
    ['100::1', 'never'],
    ['2001:2::1', 'never'],
    ['2001:10::1', 'never'],
    ['2001:db8::1', 'never'],
    ['3fff::1', 'never'],
    ['2001:4860:4860::8888', 'public'],
    ['idp.example', 'never'],
  ])('of %s is %s', (address, kind) => {
    expect(classifyAddress(address)).toBe(kind);
  });
});

describe('an entry', () => {
  const to = (host: string, port = '443', isHttps = true) => ({ host, port, isHttps });
  it.each([
    ['10.0.0.0/8', to('idp.corp'), '10.1.2.3', true],
    ['10.0.0.0/8', to('idp.corp'), '192.168.0.1', false],
    ['idp.corp', to('IDP.corp'), '10.1.2.3', true],
    ['idp.corp', to('other.corp'), '10.1.2.3', false],
    ['idp.corp', to('idp.corp'), '127.0.0.1', false],
    ['127.0.0.0/8', to('localhost'), '127.0.0.1', false],
    ['127.0.0.1', to('localhost'), '127.0.0.1', true],
    ['169.254.169.254', to('meta'), '169.254.169.254', true],
    ['[::1]:8443', to('::1', '8443'), '::1', true],
    ['idp.corp:8443', to('idp.corp'), '10.1.2.3', false],
    ['fd00::/8', to('idp.corp'), 'fd12::1', true],
  ])('%s for %o at %s: %s', (entry, destination, address, isAllowed) => {
    expect(isAllowedEntry(entry)).toBe(true);
    expect(allowsAddress([entry], destination, address)).toBe(isAllowed);
  });

  it('opens another port or plain http where it names them', () => {
    expect(allowsPort([], to('idp.example'))).toBe(true);
    expect([to('idp.example', '8443'), to('idp.example', '80', false)].map((one) => allowsPort(['idp.example'], one))).toEqual([
      false,
      false,
    ]);
    expect(
      [to('idp.example', '8443'), to('idp.example', '80', false)].map((one) => allowsPort(['idp.example:8443', 'idp.example:80'], one)),
    ).toEqual([true, true]);
  });

  it.each(['', '10.0.0.0/33', '300.1.1.1', 'a b', 'https://x', '10.0.0.0/8:443', 'x:99999'])('is not %s', (text) => {
    expect(isAllowedEntry(text)).toBe(false);
  });
});
