/** Cookies of signing in, and whether the page that sends one is ours: by headers alone, without a server. */
import { describe, expect, it } from 'vitest';
import { refuseForgery, requireSameOrigin } from './same-origin.ts';
import { requestBaseUrl, clearCookie, readCookie, setCookie } from './session-cookie.ts';

const plain = { host: 'localhost:8080', protocol: 'http' as const };
const secure = { host: 'reviews.example.com', protocol: 'https' as const };
/** Behind a proxy that ends TLS and is not trusted to say so. */
const proxied = { host: 'reviews.example.com', protocol: 'http' as const };

describe('a cookie', () => {
  it.each([
    [plain, 'session=x; Path=/; HttpOnly; SameSite=Lax'],
    [{ ...plain, host: '127.0.0.1:1' }, 'session=x; Path=/; HttpOnly; SameSite=Lax'],
    [{ ...plain, host: '[::1]:1' }, 'session=x; Path=/; HttpOnly; SameSite=Lax'],
    [{ ...plain, protocol: 'https' as const }, '__Host-session=x; Path=/; HttpOnly; Secure; SameSite=Lax'],
    [secure, '__Host-session=x; Path=/; HttpOnly; Secure; SameSite=Lax'],
    [proxied, '__Host-session=x; Path=/; HttpOnly; Secure; SameSite=Lax'],
    [{ ...proxied, host: 'localhost.example.com' }, '__Host-session=x; Path=/; HttpOnly; Secure; SameSite=Lax'],
    [{ ...proxied, host: '127.0.0.1.example.com' }, '__Host-session=x; Path=/; HttpOnly; Secure; SameSite=Lax'],
  ])('for %j is %s', (of, wanted) => {
    expect(setCookie({ ...of, headers: {} }, 'session', 'x')).toBe(wanted);
  });
  it('is taken away by one that is over', () => {
    expect(clearCookie({ ...secure, headers: {} }, 'session')).toMatch(/^__Host-session=; .*Secure.*; Max-Age=0$/);
  });
  it.each([
    [undefined, ''],
    ['', ''],
    ['__Host-session=abc', 'abc'],
    ['a=b; __Host-session=abc; c=d', 'abc'],
    ['__Host-session=a=b==', 'a=b=='],
    // Without the prefix another host of the domain may have set it.
    ['session=abc', ''],
    ['__Host-session=abc; __Host-session=def', ''],
    ['x__Host-session=abc', ''],
    ['__host-session=abc', ''],
    ['__Host-sessions=abc', ''],
  ])('is read from %j: %j', (cookie, value) => {
    expect(readCookie({ ...secure, headers: cookie === undefined ? {} : { cookie } }, 'session')).toBe(value);
  });
  it('says where the service is', () => {
    const capitals = { ...plain, protocol: 'HTTPS' as 'https' };
    expect([plain, secure, proxied, capitals].map(requestBaseUrl)).toEqual([
      'http://localhost:8080',
      'https://reviews.example.com',
      'https://reviews.example.com',
      'https://localhost:8080',
    ]);
  });
});

describe('a request with a cookie', () => {
  const status = (headers: Record<string, string>, of: typeof plain | typeof secure = secure, method = 'POST'): string => {
    try {
      refuseForgery({ ...of, method, headers });
      return 'taken';
    } catch (error) {
      return (error as Error).message;
    }
  };
  it.each([
    [{ 'sec-fetch-site': 'same-origin' }, secure],
    [{ 'sec-fetch-site': 'same-origin', origin: 'null' }, secure],
    [{ origin: 'https://reviews.example.com' }, secure],
    [{ origin: 'https://REVIEWS.example.com:443' }, secure],
    [{ origin: 'https://reviews.example.com' }, proxied],
    [{ origin: 'http://localhost:8080' }, plain],
    [{ origin: 'https://reviews.example.com', 'content-length': '0' }, secure],
    [{ origin: 'https://reviews.example.com', 'content-type': 'application/json', 'content-length': '2' }, secure],
    [{ origin: 'https://reviews.example.com', 'content-type': 'text/csv', 'transfer-encoding': 'chunked' }, secure],
  ])('%j at %j comes from a page of ours', (headers, of) => {
    expect(status(headers, of)).toBe('taken');
  });
  it.each([
    [{}, secure],
    [{ 'sec-fetch-site': 'cross-site', origin: 'https://reviews.example.com' }, secure],
    [{ 'sec-fetch-site': '' }, secure],
    [{ origin: 'http://reviews.example.com' }, secure],
    [{ origin: 'http://reviews.example.com' }, proxied],
    [{ origin: 'https://reviews.example.com:8443' }, secure],
    [{ origin: 'https://reviews.example.com.evil.example' }, secure],
    [{ origin: 'https://evil.example/https://reviews.example.com' }, secure],
    [{ origin: 'http://localhost:9090' }, plain],
    [{ origin: 'http://127.0.0.1:8080' }, plain],
    [{ origin: '' }, secure],
  ])('%j at %j may come from elsewhere', (headers, of) => {
    expect(status(headers, of)).toMatch(/^A request that is signed in by a cookie has to come from a page of this service: /);
  });
  it.each(['application/x-www-form-urlencoded', 'Multipart/Form-Data; boundary=x', 'text/plain;charset=UTF-8', ''])(
    'with %j may be a form',
    (type) => {
      const headers = { 'sec-fetch-site': 'same-origin', 'content-length': '2', ...(type === '' ? {} : { 'content-type': type }) };
      expect(status(headers)).toMatch(/needs the Content-Type of its body/);
    },
  );
  it('that only reads is asked nothing', () => {
    for (const method of ['GET', 'HEAD', 'OPTIONS']) {
      expect(status({ 'sec-fetch-site': 'cross-site' }, secure, method)).toBe('taken');
    }
  });
  it('that signs in or out is asked even without one', () => {
    expect(() => requireSameOrigin({ ...secure, method: 'POST', headers: {} })).toThrow('neither Sec-Fetch-Site nor Origin');
  });
});

it('says that a page was opened over plain http where it should be TLS', () => {
  const request = {
    method: 'POST',
    host: 'reviews.example.com',
    protocol: 'http',
    headers: { origin: 'http://reviews.example.com' },
  } as const;
  expect(() => requireSameOrigin(request)).toThrow(
    /made over http:\/\/, where no browser keeps a sign-in; open the page with https:\/\/\.$/,
  );
});
