/** Random changes of session settings: what is refused, that nobody locks themselves out, and that one event reports each change. */
import type { JsonObject } from '@bufbuild/protobuf';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { actorOf, useTwoTenants, type TwoTenants } from '../../../../test/support/tenants.ts';
import { isAppError } from '../../../errors.ts';
import type { RoleName, Context } from '../../../context.ts';
import { changeSettings, getSettings, testSource } from './change-settings.ts';
import { createCredential } from '../clients/create-credential.ts';
import { compileSource, sources } from './session-settings.ts';

const from = '192.0.2.1';
const block = fc.constantFrom(
  '192.0.2.0/24',
  '198.51.100.0/24',
  '::ffff:192.0.2.0/120',
  '2001:db8::/32',
  '0.0.0.0/0',
  'nonsense',
  '10.0.0.0/33',
);
const restriction = fc.option(fc.record({ enabled: fc.boolean(), sourceCidr: fc.array(block, { maxLength: 2 }) }), { nil: undefined });
const length = fc.constantFrom(undefined, undefined, '299s', '300s', '2592000s', '2592001s', '-1s');
const settings = fc
  .record({ maxSessionLength: length, ...Object.fromEntries(sources.map((source) => [source, restriction])) })
  .map((document) => Object.fromEntries(Object.entries(document).filter(([, value]) => value !== undefined)) as JsonObject);
const masks = fc.option(fc.subarray([...sources, 'maxSessionLength'], { minLength: 1 }), { nil: undefined });

interface Restriction {
  readonly enabled: boolean;
  readonly sourceCidr: readonly string[];
}

/** True if a document may be at all. */
function isGood(document: JsonObject): boolean {
  const blocks = sources.flatMap((source) => (document[source] as Restriction | undefined) ?? []);
  const seconds = Number(String(document.maxSessionLength ?? '300s').replace('s', ''));
  return (
    blocks.every(({ enabled, sourceCidr }) => !(enabled && sourceCidr.length === 0)) &&
    blocks.every(({ sourceCidr }) => !sourceCidr.includes('nonsense') && !sourceCidr.includes('10.0.0.0/33')) &&
    seconds >= 300 &&
    seconds <= 2_592_000
  );
}

describe('changing session settings', () => {
  let test: TwoTenants;
  beforeAll(async () => {
    test = await useTwoTenants();
  });
  afterAll(() => test.close());

  /** The person with a credential of their own, which the restriction for their kind holds for. */
  async function signIn(userId: string, roles: readonly RoleName[]): Promise<Context> {
    const { admin } = test.ours;
    const as = { ...admin, actor: actorOf(userId, roles) };
    const { row } = await createCredential(as, { displayName: 'Key', userId, secretLabel: 'conductorone.com' });
    return { ...admin, actor: actorOf(userId, roles, { credentialId: row.id, sourceIp: from }) };
  }
  const countEvents = async (): Promise<number> => {
    const [row] = await test.admin(`SELECT count(*)::int AS count FROM events WHERE tenant_id = $1 AND kind = 'session_settings.updated'`, [
      test.ours.tenant.id,
    ]);
    return Number(row?.count);
  };

  it('is refused where it makes no sense or would lock its maker out, and is one event otherwise', { timeout: 240_000 }, async () => {
    const context = await signIn(test.ours.adminId, ['SUPER_ADMINISTRATOR']);
    await fc.assert(
      fc.asyncProperty(settings, masks, async (sent, mask) => {
        const before = await getSettings(context);
        const told = await countEvents();
        const after: JsonObject = { ...before };
        for (const name of mask ?? Object.keys(sent)) {
          if (sent[name] === undefined) {
            delete after[name];
          } else {
            after[name] = sent[name];
          }
        }
        const isChange = JSON.stringify(sorted(after)) !== JSON.stringify(sorted(before));
        const isLockedOut = isChange && isGood(after) && !compileSource(after, 'pccAdminSource')(from);
        const problem = await changeSettings(context, sent, mask).then(
          () => undefined,
          (error: unknown) => error,
        );
        if (isGood(after) && !isLockedOut) {
          expect(problem).toBeUndefined();
          expect(sorted(await getSettings(context))).toEqual(sorted(after));
          expect(await countEvents()).toBe(told + (isChange ? 1 : 0));
        } else {
          expect(isAppError(problem) && problem.code).toBe('INVALID_ARGUMENT');
          expect(isLockedOut ? String(problem) : '').toMatch(isLockedOut ? /block your own address/ : /^$/);
          expect(await getSettings(context)).toEqual(before);
          expect(await countEvents()).toBe(told);
        }
        // Whatever happened, whoever did it may do the next.
        expect(compileSource(await getSettings(context), 'pccAdminSource')(from)).toBe(true);
      }),
      { numRuns: 120 },
    );
    await changeSettings(context, {}, ['*']);
  });

  it('looks at the restriction that holds for the credential it is done with', async () => {
    const elsewhere = { enabled: true, sourceCidr: ['198.51.100.0/24'] };
    const admin = await signIn(test.ours.adminId, ['SUPER_ADMINISTRATOR']);
    await changeSettings(admin, { pccUserSource: elsewhere, externalClientSource: elsewhere, connectorSource: elsewhere }, undefined);
    await expect(changeSettings(admin, { pccAdminSource: elsewhere }, undefined)).rejects.toMatchObject({
      violations: [{ field: 'sessionSettings.pccAdminSource', description: expect.stringContaining(from) }],
    });
    // On the machine itself, without a credential, there is nothing to be locked out of.
    await changeSettings(test.ours.system, { pccAdminSource: elsewhere }, undefined);
    await changeSettings(test.ours.system, {}, ['*']);
    expect(await getSettings(test.theirs.admin)).toEqual({});
  });

  it('can be tried before', () => {
    const { admin } = test.ours;
    expect(testSource(admin, ['192.0.2.0/24'], '')).toEqual({ allowed: true, checkedIp: '192.0.2.1' });
    expect(testSource(admin, ['192.0.2.0/24'], ' ::FFFF:198.51.100.7 ')).toEqual({ allowed: false, checkedIp: '198.51.100.7' });
    expect(() => testSource(admin, ['nonsense'], '1.2.3')).toThrow(/allowCidr\[0\].*sourceIp/);
  });
});

/** Members in one order, so that two documents can be compared. */
function sorted(document: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(document).sort(([a], [b]) => (a < b ? -1 : 1)));
}
