/** Spellings of hosts, and the loopback names that mean the same. */
import { describe, expect, it } from 'vitest';
import { hostAliases, hostBaseUrl, hostNameOf, isLoopback, normalizeHost, readHost } from './host.ts';

describe('hostBaseUrl', () => {
  it.each([
    ['localhost:8080', undefined, 'http'],
    ['127.0.0.1:8080', 8080, 'http'],
    ['reviews.example.com', undefined, 'https'],
    ['reviews.example.com', 8080, 'https'],
    ['reviews.example.com:8080', undefined, 'https'],
    ['reviews.example.com:8443', 8080, 'https'],
    ['reviews.example.com:8080', 8080, 'http'],
  ] as const)('%s, reached without TLS at port %s, begins with %s', (host, plainPort, scheme) => {
    expect(hostBaseUrl(host, plainPort)).toBe(`${scheme}://${host}`);
  });
});

describe('normalizeHost', () => {
  it.each([
    ['Reviews.Example.COM', 'reviews.example.com'],
    ['reviews.example.com.', 'reviews.example.com'],
    ['reviews.example.com.:8443', 'reviews.example.com:8443'],
    ['localhost:8080', 'localhost:8080'],
    ['localhost:08080', 'localhost:8080'],
    ['example.com:443', 'example.com'],
    ['example.com:80', 'example.com'],
    ['[::1]:8080', '[::1]:8080'],
    ['127.0.0.1', '127.0.0.1'],
    [' example.com ', 'example.com'],
  ])('%s is %s', (given, wanted) => {
    expect(normalizeHost(given)).toBe(wanted);
  });

  it.each([
    '',
    ' ',
    'a b',
    'example.com/x',
    'user@example.com',
    'example.com:99999',
    'example.com:',
    ':80',
    '-x',
    'http://example.com',
    'é.com',
    `${'a'.repeat(300)}.com`,
  ])('refuses %j', (given) => {
    expect(normalizeHost(given)).toBeUndefined();
  });
});

describe('readHost', () => {
  it.each([
    ['Prüfung.example:8443', 'xn--prfung-4ya.example:8443'],
    ['xn--prfung-4ya.example', 'xn--prfung-4ya.example'],
    [' é.com ', 'xn--9ca.com'],
    ['Reviews.Example.COM:443', 'reviews.example.com'],
    ['[::1]:8080', '[::1]:8080'],
  ])('%s is %s', (given, wanted) => {
    expect(readHost(given)).toBe(wanted);
  });

  it.each(['é.com/x', 'é@é.com', 'é com', 'https://é.com', '\u00ad', 'é.com:99999', '"reviews.example"'])('refuses %j', (given) => {
    expect(readHost(given)).toBeUndefined();
  });
});

describe('hostAliases', () => {
  it('gives the loopback names on the same port', () => {
    expect(hostAliases('localhost:8080')).toEqual(['localhost:8080', '127.0.0.1:8080', '[::1]:8080']);
    expect(hostAliases('127.0.0.1')).toEqual(['127.0.0.1', 'localhost', '[::1]']);
  });

  it('gives no other fallback', () => {
    expect(hostAliases('reviews.example.com')).toEqual(['reviews.example.com']);
    expect(hostAliases('127.0.0.2:8080')).toEqual(['127.0.0.2:8080']);
  });
});

describe('hostNameOf', () => {
  it('leaves the port out', () => {
    expect(hostNameOf('localhost:8080')).toBe('localhost');
    expect(hostNameOf('[::1]:8080')).toBe('[::1]');
    expect(hostNameOf('example.com')).toBe('example.com');
  });
});

describe('isLoopback', () => {
  it.each(['localhost', 'localhost:8080', '127.0.0.1:8080', '127.4.250.9', '[::1]:1'])('%s is this machine', (host) => {
    expect(isLoopback(host)).toBe(true);
  });
  it.each(['127.0.0.1.example.com', '127.0.0', '127.0.0.256', '128.0.0.1', 'localhost.example.com', '0.0.0.0'])('%s is not', (host) => {
    expect(isLoopback(host)).toBe(false);
  });
});
