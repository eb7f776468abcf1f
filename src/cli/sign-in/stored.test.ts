/** Place of the credential of a login: the keyring of the system, else a file of its owner alone. */
import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { currentServer, findStored, forgetCredential, requirePlace, storeCredential, storePath } from './stored.ts';

const one = { credentialId: 'c1', clientId: 'a-b-1@one.example/pcc', clientSecret: 'secret-token:x:v1:abc' };
const two = { credentialId: 'c2', clientId: 'a-b-2@two.example/pcc', clientSecret: 'secret-token:x:v1:def' };

/** Stands in for the program of the Secret Service: keeps the secret that comes on standard input. */
const secretTool = `#!/bin/sh
verb=$1; shift
while [ "$1" != server ]; do shift; done
file="$KEYRING/$(printf %s "$2" | tr -c 'a-z0-9' _)"
case $verb in
  store) [ -n "$LOCKED" ] && exit 1; cat > "$file" ;;
  lookup) cat "$file" ;;
  clear) rm -f "$file" ;;
esac
`;

describe('the credential of a login', () => {
  let folder: string;
  let plain: Record<string, string>;
  let ringed: Record<string, string>;
  const text = (): string => readFileSync(join(folder, 'countersign', 'credentials.json'), 'utf8');

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'login-'));
    writeFileSync(join(folder, 'secret-tool'), secretTool);
    chmodSync(join(folder, 'secret-tool'), 0o755);
    plain = { XDG_CONFIG_HOME: folder, PATH: process.env['PATH'] ?? '' };
    ringed = { ...plain, PATH: `${folder}:${plain['PATH']}`, DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nowhere', KEYRING: folder };
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('is in a file of its owner alone where there is no keyring', () => {
    expect(storeCredential(plain, 'https://one.example', one)).toBe(join(folder, 'countersign', 'credentials.json'));
    expect(statSync(storePath(plain) ?? '').mode & 0o777).toBe(0o600);
    expect(statSync(join(folder, 'countersign')).mode & 0o777).toBe(0o700);
    storeCredential(plain, 'https://two.example', two);
    expect([currentServer(plain), findStored(plain, 'https://one.example'), findStored(plain, 'https://three.example')]).toEqual([
      'https://two.example',
      one,
      undefined,
    ]);
    forgetCredential(plain, 'https://two.example');
    expect([currentServer(plain), findStored(plain, 'https://two.example')]).toEqual(['https://one.example', undefined]);
  });

  it('is in the keyring where there is one, and then not in the file', () => {
    expect(storeCredential(ringed, 'https://one.example', one)).toBe('the keyring');
    expect(text()).not.toContain(one.clientSecret);
    expect(findStored(ringed, 'https://one.example')).toEqual(one);
    forgetCredential(ringed, 'https://one.example');
    expect(findStored(ringed, 'https://one.example')).toBeUndefined();
  });

  it('is in the file where the keyring stays locked', () => {
    storeCredential({ ...ringed, LOCKED: 'yes' }, 'https://one.example', one);
    expect(text()).toContain(one.clientSecret);
    expect(findStored(ringed, 'https://one.example')).toEqual(one);
  });

  it('is said to be in a keyring that does not give it, so that nobody forgets what was not revoked', () => {
    storeCredential(ringed, 'https://one.example', one);
    expect(() => findStored(plain, 'https://one.example')).toThrow('unlock it');
    expect(findStored(ringed, 'https://one.example')).toEqual(one);
  });

  it('is not read from a file that others can read', () => {
    storeCredential(plain, 'https://one.example', one);
    chmodSync(storePath(plain) ?? '', 0o644);
    expect(() => findStored(plain, 'https://one.example')).toThrow('chmod 600');
  });

  it('is kept nowhere without a home', () => {
    expect([storePath({}), currentServer({}), findStored({}, 'https://one.example')]).toEqual([undefined, '', undefined]);
    expect(() => storeCredential({}, 'https://one.example', one)).toThrow('XDG_CONFIG_HOME');
    expect(() => requirePlace({})).toThrow('XDG_CONFIG_HOME');
  });
});
