/** Calls while the session has ended. */
import { afterEach, describe, expect, it, vi } from 'vitest';
import { setSignedOut, whenSignedIn } from './connection.ts';
import { call } from './query.ts';

afterEach(() => {
  vi.unstubAllGlobals();
  setSignedOut(false);
});

describe('a call after the session has ended', () => {
  it('is refused without asking the server, until somebody signs in again', async () => {
    const fetch = vi.fn(async () => new Response('{}', { headers: { 'content-type': 'application/json' } }));
    vi.stubGlobal('fetch', fetch);
    const back = vi.fn();
    const stop = whenSignedIn(back);
    setSignedOut(true);
    await expect(call('AuthService.Introspect', {})).rejects.toMatchObject({ status: 401 });
    expect(fetch).not.toHaveBeenCalled();
    setSignedOut(false);
    expect(back).toHaveBeenCalledOnce();
    await call('AuthService.Introspect', {});
    expect(fetch).toHaveBeenCalledOnce();
    stop();
  });
});
