/** Parts left out of a source's config: secrets by their names and by their looks; nothing else. */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { processorTimeOf } from '../../../test/support/processor-time.ts';
import { withoutSecrets } from './without-secrets.ts';

describe('secrets in a config', () => {
  it.each([
    'password',
    'clientSecret',
    'client_secret',
    'API-Key',
    'apiKey',
    'accessToken',
    'ACCESS_TOKEN',
    'privateKey',
    'passphrase',
    'bearer',
    'credentials',
    'serviceAccountJson',
    'connectionString',
    'webhookUrl',
    'dsn',
    'db_passwd',
  ])('are left out by their name: %s', (name) => {
    expect(withoutSecrets({ [name]: 'x', kept: 1 })).toEqual({ kept: 1 });
    expect(withoutSecrets({ [name]: { of: 'x' } })).toEqual({});
    expect(withoutSecrets({ deep: [{ [name]: ['x'] }] })).toEqual({ deep: [{}] });
  });

  it.each([
    '-----BEGIN PRIVATE KEY-----\nMC4',
    '-----BEGIN RSA PRIVATE KEY-----',
    'secret-token:conductorone.com:v1:abc',
    'eyJhbGciOiJI.eyJzdWIiOiIxMjM0.SflKxwRJSMeKKF2QT4',
    'postgres://user:pw@db.example/x',
    'AKIAIOSFODNN7EXAMPLE',
    'ghp_0123456789abcdef',
    'xoxb-0123456789-abc',
  ])('are left out by their looks: %s', (text) => {
    expect(withoutSecrets({ value: text, list: [text, 'kept'] })).toEqual({ list: ['kept'] });
  });

  it('are not what is said of them', () => {
    const said = {
      '@type': 'type.googleapis.com/c1.svc.TokenConfig',
      tokenUrl: 'https://a.example/token',
      credentialType: 'OAUTH',
      accessKeyId: 'AKIAIOSFODNN7EXAMPLE',
      secretName: 'vault/one',
      tokenLifetime: '3600s',
      passwordRequired: true,
      tokens: 12,
      host: 'db.example',
      url: 'https://user@a.example/x:y@z',
      key: 'department',
      monkey: 'ape',
    };
    expect(withoutSecrets(said)).toEqual(said);
  });

  it.each([
    `://${':'.repeat(60_000)}`,
    '://'.repeat(20_000),
    '-----BEGIN '.repeat(5000),
    `-----BEGIN ${'A'.repeat(60_000)}`,
    'a.'.repeat(30_000),
  ])('are looked for in a time that grows with the text alone: %#', async (text) => {
    expect(await processorTimeOf(() => expect(withoutSecrets({ text })).toEqual({ text }))).toBeLessThan(500);
  });

  it('are never in what is kept, however deep; all else stays, and doing it twice is doing it once', () => {
    const name = fc.constantFrom('region', 'users', 'limit', 'apiKey', 'Client-Secret', 'nested');
    const { tree } = fc.letrec<{ tree: fc.JsonValue }>((tie) => ({
      tree: fc.oneof(
        { maxDepth: 5 },
        fc.constantFrom<fc.JsonValue>('plain', 1, true, null),
        fc.array(tie('tree'), { maxLength: 4 }),
        fc.dictionary(name, tie('tree'), { maxKeys: 4 }),
      ),
    }));
    const isSecret = (key: string): boolean => key === 'apiKey' || key === 'Client-Secret';
    const expected = (value: unknown): unknown => {
      if (Array.isArray(value)) {
        return value.map(expected);
      }
      if (typeof value !== 'object' || value === null) {
        return value;
      }
      const entries = Object.entries(value).filter(([key, one]) => !isSecret(key) || one === 1 || one === true || one === null);
      return Object.fromEntries(entries.map(([key, one]) => [key, expected(one)]));
    };
    fc.assert(
      fc.property(fc.dictionary(name, tree, { maxKeys: 5 }), (config) => {
        const kept = withoutSecrets(config as never);
        expect(kept).toEqual(expected(config));
        expect(withoutSecrets(kept)).toEqual(kept);
      }),
    );
  });
});
