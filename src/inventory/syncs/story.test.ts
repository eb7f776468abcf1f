/**
 * Random stories of one app against a plain model: files of two sources with paths, ends and owners, what is granted, limited, removed and ended
 * manually, people who come, sources that are deleted. At the end everything is as the model says, and each sync reads back as its file.
 */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runs } from '../../../test/support/runs.ts';
import { findWrongs } from '../../../test/support/check-inventory.ts';
import type { TestDatabase } from '../../../test/support/database.ts';
import { bodyOf, grantsHeader, makeTenant, openFixture, peopleHeader, refusalOf } from '../../../test/support/inventory.ts';
import { insertEntitlement } from '../../../test/support/manual-app.ts';
import { access, byHand, describe as describeGrant, readStory, type StoryFile, StoryModel } from '../../../test/support/story-model.ts';
import type { Job } from '../../jobs/index.ts';
import { inTransaction, type Context } from '../../context.ts';
import { ensureApp } from '../catalog/index.ts';
import { addAccounts, endAccounts, endGrants, giveGrants, takeRevision } from '../ledger/index.ts';
import { deleteSource } from '../sources/change-source.ts';
import { changeDuration } from '../grants/change-duration.ts';
import { expireJob } from '../grants/expire.ts';
import { importGrants } from './import-grants.ts';
import { importPeople } from './import-people.ts';
import { diffSyncs, type NamedPage, replaySync } from './replay/replay-syncs.ts';
import { countAllChanges } from './merge/store-count.ts';
import type { GrantKey, PastGrant } from './record/store-replay.ts';

type Act =
  | { readonly kind: 'import'; readonly source: string; readonly file: StoryFile }
  | { readonly kind: 'again' | 'delete'; readonly source: string }
  | { readonly kind: 'give'; readonly account: string; readonly hours: number | null }
  | { readonly kind: 'take' | 'drop'; readonly account: string }
  | { readonly kind: 'limit'; readonly account: string; readonly entitlement: string; readonly hours: number | null }
  | { readonly kind: 'people'; readonly names: readonly string[] }
  | { readonly kind: 'wait'; readonly hours: number };

/** Count of stories of each kind; more find more. */
const stories = Number(process.env['COUNTERSIGN_STORIES'] ?? runs(5, 20));
const names = ['a@x.example', 'b@x.example', 'c@x.example'];
const entitlements = ['r', 's', 't', 'u'];
/** The entitlement `u` is of another resource type. */
const typeOf = (entitlement: string): string => (entitlement === 'u' ? 'group' : 'role');
const stepOf = (entitlement: string): string => `${typeOf(entitlement)}/x/${entitlement}`;
const start = Date.parse('2026-01-01T00:00:00Z');
const hour = 3_600_000;
const textOf = (at: Date | null | undefined): string => at?.toISOString().replace('.000Z', 'Z') ?? '';

const account = fc.constantFrom(...names);
const time = fc.constantFrom('', '2024-01-01T00:00:00Z', '2024-06-01T00:00:00Z');
const via = fc.oneof(
  { weight: 3, arbitrary: fc.constant('') },
  { weight: 2, arbitrary: fc.shuffledSubarray(entitlements, { minLength: 1, maxLength: 2 }).map((steps) => steps.join('>')) },
);
const file: fc.Arbitrary<StoryFile> = fc.record({
  says: fc.record(
    Object.fromEntries(names.map((name) => [name, fc.record({ hasOwner: fc.boolean(), status: fc.constantFrom('ENABLED', 'DISABLED') })])),
  ),
  rows: fc.array(
    fc.record({
      account,
      entitlement: fc.constantFrom(...entitlements),
      granted: time,
      used: time,
      ends: fc.constantFrom('', '', '2031-01-01T00:00:00Z', '2032-01-01T00:00:00Z'),
      via,
    }),
    { minLength: 1, maxLength: 7 },
  ),
  hasEnds: fc.boolean(),
  hasVia: fc.boolean(),
});
const hours = fc.option(fc.integer({ min: 1, max: 12 }));

function actOf(sources: readonly string[]): fc.Arbitrary<Act> {
  const source = fc.constantFrom(...sources);
  const of = <Kind extends Act['kind']>(kind: Kind): { kind: fc.Arbitrary<Kind> } => ({ kind: fc.constant(kind) });
  return fc.oneof(
    { weight: 10, arbitrary: fc.record({ ...of('import'), source, file }) },
    { weight: 2, arbitrary: fc.record({ ...of('again'), source }) },
    { weight: 1, arbitrary: fc.record({ ...of('delete'), source }) },
    { weight: 3, arbitrary: fc.record({ ...of('give'), account, hours }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom('take' as const, 'drop' as const), account }) },
    { weight: 2, arbitrary: fc.record({ ...of('limit'), account, entitlement: fc.constantFrom(...entitlements, byHand), hours }) },
    { weight: 2, arbitrary: fc.record({ ...of('people'), names: fc.subarray(names, { minLength: 1 }) }) },
    { weight: 2, arbitrary: fc.record({ ...of('wait'), hours: fc.integer({ min: 1, max: 12 }) }) },
  );
}

function csvOf({ says, rows, hasEnds, hasVia }: StoryFile): string {
  const header = `${grantsHeader}${hasEnds ? ',expires_at' : ''}${hasVia ? ',granted_via' : ''}`;
  const lines = rows.map((row) => {
    const { hasOwner, status } = says[row.account] ?? { hasOwner: false, status: '' };
    const path = row.via === '' ? '' : row.via.split('>').map(stepOf).join(' > ');
    const cells = [
      row.account,
      hasOwner ? row.account : '',
      'USER',
      status,
      typeOf(row.entitlement),
      'x',
      row.entitlement,
      row.granted,
      row.used,
    ];
    return [...cells, ...(hasEnds ? [row.ends] : []), ...(hasVia ? [path] : [])].join(',');
  });
  return `${[header, ...lines].join('\n')}\n`;
}

/** Imported file, and what the model said then. */
interface Sync {
  readonly id: string;
  readonly revision: number;
  readonly source: number;
  readonly said: ReadonlyMap<string, string>;
  readonly app: ReadonlyMap<string, string>;
}

describe('a story of an app', () => {
  let test: TestDatabase;
  beforeAll(async () => {
    test = await openFixture();
  });
  afterAll(() => test.close());

  async function play(acts: readonly Act[]): Promise<void> {
    const { tenantId, context } = makeTenant(test);
    const model = new StoryModel();
    const syncs: Sync[] = [];
    const sources = new Map<string, number>();
    const files = new Map<string, StoryFile>();
    let now = start;
    const at = (): Context => context(new Date(now));
    const inHours = (count: number | null): string => (count === null ? '' : textOf(new Date(now + count * hour)));
    const app = await inTransaction(at(), (inside) => ensureApp(inside, 'Wiki'));
    const manualId = await insertEntitlement(at(), app.id, byHand);
    const find = async (sql: string, name: string): Promise<string> =>
      String((await test.admin(`SELECT id FROM ${sql}`, [tenantId, name]))[0]?.id ?? '');
    const accountId = (name: string) => find('accounts WHERE tenant_id = $1 AND external_id = $2', name);
    const entitlementId = (name: string) => find('entitlements WHERE tenant_id = $1 AND external_id = $2', name);
    const change = (work: (inside: Context, of: { appId: string; revision: number; sourceNo: number }) => Promise<unknown>) =>
      inTransaction(at(), async (inside) => {
        await ensureApp(inside, 'Wiki');
        await work(inside, { appId: app.id, revision: await takeRevision(inside, app.id, 'MANUAL'), sourceNo: 0 });
      });

    async function importFile(source: string, one: StoryFile): Promise<void> {
      const upload = { body: bodyOf(csvOf(one)), encoding: '' };
      const work = importGrants(at(), { app: 'Wiki', source, allowRemovals: true }, upload);
      if (!model.accepts(one)) {
        expect((await refusalOf(work)).message).toContain('row error');
        return;
      }
      const number = sources.get(source) ?? model.addSource();
      sources.set(source, number);
      files.set(source, one);
      const counts = model.import(number, one);
      const done = await work;
      expect(done).toMatchObject({ ...counts, rows: one.rows.length, revision: model.revision });
      syncs.push({ id: done.id, revision: done.revision ?? 0, source: number, said: model.say(number), app: model.say() });
      checkFile(model, number, one);
    }

    async function act(one: Act): Promise<void> {
      switch (one.kind) {
        case 'import':
          return importFile(one.source, one.file);
        case 'again':
          return files.has(one.source) ? importFile(one.source, files.get(one.source) as StoryFile) : undefined;
        case 'delete': {
          const number = sources.get(one.source);
          if (number !== undefined) {
            sources.delete(one.source);
            files.delete(one.source);
            model.deleteSource(number);
            const id = await find(`sources WHERE tenant_id = $1 AND app_id <> '' AND source_no = $2::smallint`, String(number));
            await deleteSource(at(), app.id, id);
          }
          return;
        }
        case 'give': {
          const isThere = model.accounts.get(one.account)?.isThere === true;
          if (!model.people.has(one.account) || !model.give(one.account, textOf(at().now), inHours(one.hours))) {
            return;
          }
          const person = { email: one.account, displayName: one.account };
          const userId = await find('users WHERE tenant_id = $1 AND email = $2', one.account);
          return change(async (inside, of) => {
            const made = isThere ? undefined : await addAccounts(inside, of, [{ ...person, externalId: one.account, userId }]);
            const holder = made?.get(one.account) ?? (await accountId(one.account));
            await giveGrants(
              inside,
              of,
              [{ entitlementId: manualId, accountId: holder }],
              one.hours === null ? null : new Date(inHours(one.hours)),
            );
          });
        }
        case 'take':
          if (model.take(one.account)) {
            await change(async (inside, of) =>
              endGrants(inside, of, [{ entitlementId: manualId, accountId: await accountId(one.account) }]),
            );
          }
          return;
        case 'drop':
          if (model.drop(one.account)) {
            await change(async (inside, of) => endAccounts(inside, of, [await accountId(one.account)]));
          }
          return;
        case 'limit': {
          const life = model.find(one.account, one.entitlement);
          if (life !== undefined) {
            model.limit(one.account, one.entitlement, inHours(one.hours));
            const pair = { entitlementId: await entitlementId(one.entitlement), accountId: await accountId(one.account) };
            await changeDuration(at(), app.id, pair, one.hours === null ? null : new Date(inHours(one.hours)));
          }
          return;
        }
        case 'people': {
          model.addPeople(one.names);
          const lines = [...model.people].map((name) => `${name},${name},,,,ACTIVE`);
          await importPeople(
            at(),
            { source: '', allowRemovals: false },
            { body: bodyOf([peopleHeader, ...lines].join('\n')), encoding: '' },
          );
          return;
        }
        default: {
          now += one.hours * hour;
          model.expire(textOf(at().now));
          await at().db.transaction((db) => expireJob.handler({ ...at(), db }, { done: 0 } as Job));
        }
      }
    }

    for (const one of acts) {
      now += 60_000;
      await act(one);
    }
    await checkState(tenantId, model);
    // What this test changes manually, it changes below the rules that write events.
    const { 'revisions that no event tells of': _, ...wrongs } = await findWrongs(test.admin, tenantId);
    expect(wrongs).toEqual({});
    await checkSyncs(at(), app.id, syncs);
  }

  /** The model itself holds what the file says, of what is the source's. */
  function checkFile(model: StoryModel, source: number, one: StoryFile): void {
    const said = model.say(source);
    for (const [key, { row, told }] of readStory(one)) {
      const holder = model.accounts.get(row.account);
      const isOurs = model.find(row.account, row.entitlement)?.source === source;
      if (isOurs && one.hasEnds && holder?.source === source) {
        const { hasOwner, status } = one.says[row.account] ?? { hasOwner: false, status: '' };
        const email = hasOwner ? row.account : '';
        expect(said.get(key)).toBe(describeGrant(told, { email, owner: model.people.has(email) ? email : '', status }));
      }
    }
    expect([...said.keys()].filter((key) => !readStory(one).has(key))).toEqual([]);
  }

  async function checkState(tenantId: string, model: StoryModel): Promise<void> {
    const time = (column: string) => `coalesce(to_char(g.${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'), '')`;
    const stored = await test.admin(
      `SELECT a.external_id AS account, CASE WHEN e.is_app_access THEN '${access}' ELSE e.external_id END AS entitlement, g.added_revision::int AS from,
         g.removed_revision::int AS to, CASE WHEN g.is_derived THEN -1 ELSE g.source_no END::int AS source, ${time('granted_at')} AS granted,
         ${time('last_used_at')} AS used, ${time('deprovision_at')} AS ends
       FROM grants g JOIN accounts a ON a.tenant_id = g.tenant_id AND a.id = g.account_id JOIN entitlements e ON e.tenant_id = g.tenant_id AND e.id = g.entitlement_id
       WHERE g.tenant_id = $1`,
      [tenantId],
    );
    const line = (row: object) => JSON.stringify(Object.entries(row).sort());
    const expected = model.lives.map(({ told: { paths: _, ...told }, ...life }) => ({
      ...life,
      ...told,
      source: life.entitlement === access ? -1 : life.source,
    }));
    expect(stored.map(line).sort()).toEqual(expected.map(line).sort());
    const accounts = await test.admin(
      `SELECT a.external_id AS name, a.source_no::int AS source, a.email, coalesce(u.email, '') AS owner, a.status
       FROM accounts a LEFT JOIN users u ON u.tenant_id = a.tenant_id AND u.id = a.user_id WHERE a.tenant_id = $1 AND a.status <> 'DELETED'`,
      [tenantId],
    );
    const live = model.live().map(([name, { isThere: _, ...said }]) => ({ name, ...said }));
    expect(accounts.map(line).sort()).toEqual(live.map(line).sort());
  }

  async function checkSyncs(context: Context, appId: string, syncs: readonly Sync[]): Promise<void> {
    const people = await context.db.rows<{ id: string; email: string }>('SELECT id, email FROM users WHERE tenant_id = $1', [
      context.tenantId,
    ]);
    const emails = new Map(people.map(({ id, email }) => [id, email]));
    const nameIn = (page: NamedPage<unknown>, id: string) => page.names.get(id)?.entitlement ?? '?';
    const read = (page: NamedPage<unknown>, key: GrantKey, grant: PastGrant): [string, string] => {
      const paths = (grant.paths ?? []).map((path) => path.map((id) => nameIn(page, id)).join('>') || 'direct').sort();
      const told = {
        granted: textOf(grant.grantedAt),
        used: textOf(grant.lastUsedAt),
        ends: textOf(grant.deprovisionAt),
        paths: paths.join(' | '),
      };
      const { externalId, email, userId, status } = grant.account;
      return [
        `${externalId} ${nameIn(page, key.entitlementId)}`,
        describeGrant(told, { email, owner: emails.get(userId ?? '') ?? '', status }),
      ];
    };
    for (const sync of syncs) {
      const page = await replaySync(context, sync.id, undefined, 100);
      expect(new Map(page.rows.map((row) => read(page, row, row)))).toEqual(sync.said);
      for (const other of syncs) {
        const [before, later] = sync.source === other.source ? [other.said, sync.said] : [other.app, sync.app];
        const found = await diffSyncs(context, sync.id, other.id, undefined, 100);
        const side = (name: 'before' | 'after') =>
          new Map(found.rows.flatMap((row) => (row[name] === null ? [] : [read(found, row, row[name])])));
        const differing = (one: ReadonlyMap<string, string>, two: ReadonlyMap<string, string>) =>
          new Map([...one].filter(([key, text]) => two.get(key) !== text));
        expect(side('before')).toEqual(differing(before, later));
        expect(side('after')).toEqual(differing(later, before));
        const changed = [...side('after').keys()].filter((key) => side('before').has(key)).length;
        // Counted by looking up what changed; by looking at everything, it is the same.
        const span = { appId, sourceNo: sync.source === other.source ? sync.source : null, from: other.revision, to: sync.revision };
        expect(await inTransaction(context, (inside) => countAllChanges(inside, span))).toEqual(found.counts);
        expect(found.counts).toEqual({
          added: side('after').size - changed,
          removed: side('before').size - changed,
          changed,
          total: side('after').size + side('before').size - changed,
        });
      }
    }
  }

  it(
    'of one source is what the model says',
    async () => {
      await fc.assert(fc.asyncProperty(fc.array(actOf(['one']), { minLength: 1, maxLength: 10 }), play), { numRuns: stories });
    },
    stories * 15_000,
  );

  it(
    'of two sources is what the model says',
    async () => {
      await fc.assert(fc.asyncProperty(fc.array(actOf(['one', 'two']), { minLength: 3, maxLength: 12 }), play), { numRuns: stories });
    },
    stories * 15_000,
  );
});
