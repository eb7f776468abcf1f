/**
 * Random stories of an app over HTTP alone, against the plain model of test/support/story-model.ts: files of two sources, what is given,
 * limited, taken and over, sources that are deleted, and the app at last. Every list that reports grants says what the model says: what is
 * open, the counts, the feed, the past, and between which syncs each grant appeared and vanished.
 */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runs } from '../support/runs.ts';
import { type Answer, type Loose, request, requestGood } from '../support/api.ts';
import { checkInventory } from '../support/check-inventory.ts';
import { useTestServer, type TestServer } from '../support/server.ts';
import { access, byHand, type Life, type StoryFile, StoryModel } from '../support/story-model.ts';
import { until } from '../support/until.ts';
import { sendFile } from '../support/world.ts';

type Act =
  | { readonly kind: 'import'; readonly source: string; readonly file: StoryFile }
  | { readonly kind: 'again'; readonly source: string }
  | { readonly kind: 'delete'; readonly source: string }
  | { readonly kind: 'give' | 'take' | 'drop'; readonly account: string }
  | { readonly kind: 'expire'; readonly account: string }
  | { readonly kind: 'limit'; readonly account: string; readonly entitlement: string; readonly until: string };

/** Random stories to try; more find more. */
const stories = Number(process.env['COUNTERSIGN_STORIES'] ?? runs(2, 5));
const names = ['a@story.example', 'b@story.example', 'c@story.example'];
const entitlements = ['r', 's', 't'];
const header = 'account,email,account_type,account_status,resource_type,resource,entitlement,granted_at,last_used_at';
const time = fc.constantFrom('', '2024-01-01T00:00:00Z', '2024-06-01T00:00:00Z');
const account = fc.constantFrom(...names);
const source = fc.constantFrom('one', 'two');

const says = Object.fromEntries(names.map((name) => [name, { hasOwner: true, status: 'ENABLED' }]));
const row = fc.record({
  account,
  entitlement: fc.constantFrom(...entitlements),
  granted: time,
  used: time,
  ends: fc.constantFrom('', '2998-01-01T00:00:00Z'),
  via: fc.oneof(
    { weight: 3, arbitrary: fc.constant('') },
    { weight: 1, arbitrary: fc.shuffledSubarray(entitlements, { minLength: 1, maxLength: 2 }).map((steps) => steps.join('>')) },
  ),
});
const file: fc.Arbitrary<StoryFile> = fc.record({
  says: fc.constant(says),
  rows: fc.array(row, { minLength: 1, maxLength: 6 }),
  hasEnds: fc.boolean(),
  hasVia: fc.boolean(),
});
const act: fc.Arbitrary<Act> = fc.oneof(
  { weight: 10, arbitrary: fc.record({ kind: fc.constant('import' as const), source, file }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom('again' as const, 'delete' as const), source }) },
  {
    weight: 7,
    arbitrary: fc.record({ kind: fc.constantFrom('give' as const, 'give' as const, 'take' as const, 'drop' as const), account }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('expire' as const), account }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('limit' as const),
      account,
      entitlement: fc.constantFrom(...entitlements, byHand),
      until: fc.constantFrom('', '2999-01-01T00:00:00Z'),
    }),
  },
);

const pathOf = (entitlement: string): string => `role/x/${entitlement}`;

function csvOf({ rows, hasEnds, hasVia }: StoryFile): string {
  const lines = rows.map((one) => {
    const via = one.via === '' ? '' : one.via.split('>').map(pathOf).join(' > ');
    const cells = [one.account, one.account, 'USER', 'ENABLED', 'role', 'x', one.entitlement, one.granted, one.used];
    return [...cells, ...(hasEnds ? [one.ends] : []), ...(hasVia ? [via] : [])].join(',');
  });
  return `${[`${header}${hasEnds ? ',expires_at' : ''}${hasVia ? ',granted_via' : ''}`, ...lines].join('\n')}\n`;
}

/** Cause of a revision of the model. */
interface Made {
  readonly cause: 'IMPORT' | 'MANUAL' | 'EXPIRY';
  readonly importId: string;
  /** The sync of the same source before. */
  readonly previousId: string;
}

describe('a story of an app over HTTP', () => {
  let server: TestServer;
  let round = 0;
  const users = new Map<string, string>();
  const admin = (method: string, path: string, body?: unknown): Promise<Answer> => request(server, server.admin, method, path, body);
  const ok = (method: string, path: string, body?: unknown): Promise<Loose> => requestGood(server, server.admin, method, path, body);
  /** All pages, the smallest there are. */
  const all = async (method: 'GET' | 'POST', path: string, body: object = {}): Promise<Loose[]> => {
    const found: Loose[] = [];
    for (let pageToken = ''; ; ) {
      const query = `${path}${path.includes('?') ? '&' : '?'}page_size=10&page_token=${encodeURIComponent(pageToken)}`;
      const page = await (method === 'GET' ? ok('GET', query) : ok('POST', path, { ...body, pageSize: 10, pageToken }));
      found.push(...page.list);
      pageToken = page.nextPageToken;
      if (pageToken === '') {
        return found;
      }
    }
  };

  beforeAll(async () => {
    server = await useTestServer();
    const people = ['email,display_name,manager_email,department,job_title,employment_status', ...names.map((name) => `${name},,,,,`)];
    await sendFile(server, server.admin, '/api/v1/imports/people', `${people.join('\n')}\n`);
    for (const { user } of await all('POST', '/api/v1/search/users')) {
      users.set(user.email, user.id);
    }
  });
  afterAll(() => server.stop());

  async function play(acts: readonly Act[]): Promise<void> {
    const name = `Story ${++round}`;
    const model = new StoryModel();
    for (const person of names) {
      model.people.add(person);
    }
    const appId: string = (await ok('POST', '/api/v1/apps', { displayName: name })).app.id;
    const base = `/api/v1/apps/${appId}`;
    const manual: string = (await ok('POST', `${base}/entitlements`, { displayName: byHand })).appEntitlementView.appEntitlement.id;
    const made = new Map<number, Made>();
    const sources = new Map<string, { number: number; lastId: string; file: StoryFile }>();
    let entitlementIds = new Map<string, string>();
    let accountIds = new Map<string, string>();

    /** Reads the app, by the names of the model. */
    async function look(): Promise<Map<string, Loose>> {
      const found = (await all('GET', `${base}/entitlements`)).map(({ appEntitlement }) => appEntitlement);
      const nameOf = (one: Loose): string => (one.systemBuiltin ? access : one.id === manual ? byHand : one.externalId);
      entitlementIds = new Map(found.map((one) => [nameOf(one), one.id]));
      const accounts = await all('POST', '/api/v1/search/app_users', {
        appIds: [appId],
        appUserStatuses: ['STATUS_ENABLED', 'STATUS_DELETED'],
      });
      accountIds = new Map(accounts.map(({ appUser }) => [appUser.username, appUser.id]));
      return new Map(found.map((one) => [nameOf(one), one]));
    }
    /** Notes what made the model's newest revision, where the change made one. */
    function note(before: number, cause: Made['cause'], importId = '', previousId = ''): void {
      if (model.revision > before) {
        made.set(model.revision, { cause, importId, previousId });
      }
    }
    const grantPath = (entitlement: string, rest: string): string => `${base}/entitlements/${entitlementIds.get(entitlement)}/${rest}`;

    async function importFile(from: string, one: StoryFile): Promise<void> {
      const answer = await sendFile(
        server,
        server.admin,
        `/api/v1/imports/grants?app=${encodeURIComponent(name)}&source=${from}&allow_removals=true`,
        csvOf(one),
      );
      if (!model.accepts(one)) {
        expect(answer.status).toBe(400);
        return;
      }
      expect([answer.status, answer.body.message]).toEqual([200, undefined]);
      const known = sources.get(from) ?? { number: model.addSource(), lastId: '' };
      const before = model.revision;
      const counts = model.import(known.number, one);
      const id: string = answer.body.import.id;
      expect(answer.body.import).toMatchObject(Object.fromEntries(Object.entries(counts).map(([key, count]) => [key, String(count)])));
      note(before, 'IMPORT', id, known.lastId);
      sources.set(from, { number: known.number, lastId: id, file: one });
    }

    async function perform(one: Act): Promise<void> {
      const before = model.revision;
      if (one.kind === 'import') {
        await importFile(one.source, one.file);
      } else if (one.kind === 'again') {
        const last = sources.get(one.source);
        await (last && importFile(one.source, last.file));
      } else if (one.kind === 'delete') {
        const known = sources.get(one.source);
        if (known !== undefined) {
          const { list } = await ok('GET', `${base}/connectors?page_size=100`);
          const found = list.find(({ connector }: Loose) => connector.displayName === one.source);
          await ok('DELETE', `${base}/connectors/${found.connector.id}`, {});
          sources.delete(one.source);
          model.deleteSource(known.number);
          note(before, 'MANUAL');
        }
      } else if (one.kind === 'give') {
        const { failedUsersErrorMap } = await ok('POST', grantPath(byHand, 'add-manual-user'), { userIds: [users.get(one.account)] });
        expect(failedUsersErrorMap).toEqual({});
        model.give(one.account, '', '');
        note(before, 'MANUAL');
      } else if (one.kind === 'take' || one.kind === 'drop') {
        const isDone = one.kind === 'take' ? model.take(one.account) : model.drop(one.account);
        const path = grantPath(one.kind === 'take' ? byHand : access, 'remove-membership');
        const { status } = await admin('DELETE', path, { appUserId: accountIds.get(one.account) ?? 'nobody' });
        expect([one, status === 200]).toEqual([one, isDone]);
        note(before, 'MANUAL');
      } else if (one.kind === 'limit') {
        const isThere = model.find(one.account, one.entitlement) !== undefined;
        model.limit(one.account, one.entitlement, one.until);
        const path = grantPath(one.entitlement, `users/${accountIds.get(one.account) ?? 'nobody'}`);
        const { status } =
          one.until === ''
            ? await admin('POST', `${path}/remove-grant-duration`, {})
            : await admin('POST', `${path}/update-grant-duration`, { newDeprovisionAt: one.until });
        expect([one, status]).toEqual([one, isThere ? 200 : 404]);
        note(before, 'MANUAL');
      } else if (model.find(one.account, byHand) !== undefined) {
        const path = grantPath(byHand, `users/${accountIds.get(one.account)}/update-grant-duration`);
        // So soon that a busy machine may get to it too late: then it is another.
        const end = await until(async () => {
          const newDeprovisionAt = new Date(Date.now() + 700).toISOString();
          await ok('POST', path, { newDeprovisionAt });
          return newDeprovisionAt;
        });
        model.limit(one.account, byHand, end);
        note(before, 'MANUAL');
        const isHeld = async (): Promise<boolean> => {
          const list = await all('POST', '/api/v1/search/grants', { entitlementRefs: [{ appId, id: manual }] });
          return list.some(({ appEntitlementUserBinding }) => appEntitlementUserBinding.appUserId === accountIds.get(one.account));
        };
        await expect.poll(isHeld, { timeout: 60_000, interval: 150 }).toBe(false);
        const limited = model.revision;
        model.expire(end);
        note(limited, 'EXPIRY');
      }
    }

    /** Everything the API says of the app's grants, beside the model. */
    async function check(): Promise<void> {
      const shown = await look();
      const keyOf = (life: Life): string => `${entitlementIds.get(life.entitlement)} ${accountIds.get(life.account)}`;
      const open = model.lives.filter(({ to }) => to === null);

      const searched = await all('POST', '/api/v1/search/grants', { appIds: [appId] });
      expect(searched.map(({ appEntitlementUserBinding: b }) => `${b.appEntitlementId} ${b.appUserId}`)).toEqual(open.map(keyOf).sort());
      for (const [entitlement, one] of shown) {
        const lives = model.lives.filter((life) => life.entitlement === entitlement);
        expect([entitlement, one.grantCount]).toEqual([entitlement, String(lives.filter(({ to }) => to === null).length)]);
        const everHeld = await all('GET', grantPath(entitlement, 'grants'));
        expect(everHeld.map(({ appUserId, expired }) => `${appUserId} ${expired === undefined}`).sort()).toEqual(
          lives.map((life) => `${accountIds.get(life.account)} ${life.to === null}`).sort(),
        );
      }
      expect((await ok('GET', base)).app.userCount).toBe(String(model.live().length));

      const events = (which: (life: Life) => boolean): string[] =>
        model.lives
          .filter(which)
          .flatMap((life) => [
            { revision: life.from, text: `${keyOf(life)} ADDED` },
            ...(life.to === null ? [] : [{ revision: life.to, text: `${keyOf(life)} REMOVED` }]),
          ])
          .sort((a, b) => b.revision - a.revision || (a.text < b.text ? -1 : 1))
          .map(({ text }) => text);
      const feed = async (filter: object): Promise<string[]> =>
        (await all('POST', '/api/v1/grants/feed', filter)).map(
          ({ feed: one }) => `${one.appEntitlementId} ${one.appUserId} ${one.eventType.replace('GRANT_EVENT_TYPE_', '')}`,
        );
      const isTold = ({ entitlement }: Life): boolean => entitlement !== access;
      expect(await feed({ appRefs: [{ id: appId }] })).toEqual(events(isTold));
      expect(await feed({ appEntitlementRefs: [{ appId, id: entitlementIds.get(access) }] })).toEqual(events((life) => !isTold(life)));
      for (const person of accountIds.keys()) {
        const expected = events((life) => isTold(life) && life.account === person);
        expect(await feed({ appUserRefs: [{ appId, id: accountIds.get(person) }] })).toEqual(expected);
        expect(await feed({ appRefs: [{ id: appId }], userRefs: [{ id: users.get(person) }] })).toEqual(expected);
      }

      const past = await all('POST', '/api/v1/search/past-grants', { appIds: [appId] });
      const ended = model.lives
        .filter((life) => isTold(life) && life.to !== null)
        .sort((a, b) => Number(b.to) - Number(a.to) || (keyOf(a) < keyOf(b) ? -1 : 1));
      expect(past.map(({ history }) => `${history.appEntitlementId} ${history.appUserId}`)).toEqual(ended.map(keyOf));
      expect(new Set(past.map(({ history }) => history.id)).size).toBe(ended.length);

      await checkSyncs();
    }

    /** Between which syncs each grant appeared and vanished, how it is held, since when and until when. */
    async function checkSyncs(): Promise<void> {
      const nameOf = (id: string, ids: ReadonlyMap<string, string>): string => [...ids].find(([, one]) => one === id)?.[0] ?? id;
      const stories = (await all('GET', `${base}/grants?include_ended=true`)).map(({ grant }) => {
        const paths = grant.paths.map(({ entitlements: steps }: Loose) =>
          steps.map(({ id }: Loose) => nameOf(id, entitlementIds)).join('>'),
        );
        return [
          nameOf(grant.account.id, accountIds),
          nameOf(grant.entitlement.id, entitlementIds),
          grant.appearedCause,
          grant.appearedInImportId,
          grant.absentFromImportId,
          grant.vanishedCause,
          grant.vanishedInImportId,
          grant.lastSeenInImportId,
          // What was granted manually says the moment it was, and so may the app access of who has it; files report 2024.
          grant.grantedAt?.startsWith('2024') ? grant.grantedAt : '',
          grant.lastUsedAt ?? '',
          grant.isDerived ? '' : (grant.deprovisionAt ?? ''),
          paths.length === 0 ? '' : [...paths, ...(grant.isDirect ? ['direct'] : [])].sort().join(' | '),
        ].join(', ');
      });
      const cause = (one: Made | undefined): string => `GRANT_CHANGE_CAUSE_${one?.cause ?? 'UNSPECIFIED'}`;
      const expected = model.lives.map((life) => {
        const from = made.get(life.from);
        const to = life.to === null ? undefined : made.get(life.to);
        const isDerived = life.entitlement === access;
        return [
          life.account,
          life.entitlement,
          cause(from),
          from?.importId ?? '',
          from?.previousId ?? '',
          cause(to),
          to?.importId ?? '',
          to?.previousId ?? '',
          life.told.granted,
          life.told.used,
          isDerived ? '' : life.told.ends,
          life.told.paths,
        ].join(', ');
      });
      expect(stories.sort()).toEqual(expected.sort());
    }

    await look();
    for (const one of acts) {
      await perform(one);
      await look();
    }
    await check();
    await checkInventory(server.test.admin, server.id);

    await ok('DELETE', base, {});
    expect((await admin('GET', `${base}/grants`)).status).toBe(404);
    for (const [path, filter] of [
      ['search/grants', { appIds: [appId] }],
      ['grants/feed', { appRefs: [{ id: appId }] }],
      ['grants/feed', { appEntitlementRefs: [{ appId, id: manual }] }],
      ['search/past-grants', { appIds: [appId] }],
    ] as const) {
      expect([path, await all('POST', `/api/v1/${path}`, filter)]).toEqual([path, []]);
    }
  }

  it('holds what it should through syncs, manual changes, an end, and a source that goes', async () => {
    const rows = (...held: string[]): StoryFile['rows'] =>
      held.map((one) => ({ account: `${one[0]}@story.example`, entitlement: one[1] ?? '', granted: '', used: '', ends: '', via: '' }));
    const fileOf = (...held: string[]): StoryFile => ({ says, rows: rows(...held), hasEnds: false, hasVia: false });
    const [a, b] = names as [string, string];
    await play([
      { kind: 'import', source: 'one', file: fileOf('ar', 'as', 'br') },
      { kind: 'import', source: 'two', file: fileOf('ar', 'at') },
      // It is still reported by the other source, and begins anew with that one's next file.
      { kind: 'import', source: 'one', file: fileOf('as', 'br') },
      { kind: 'again', source: 'two' },
      { kind: 'give', account: b },
      { kind: 'give', account: 'c@story.example' },
      { kind: 'limit', account: b, entitlement: byHand, until: '2999-01-01T00:00:00Z' },
      // The account stays, since somebody gave it something manually.
      { kind: 'import', source: 'one', file: fileOf('as') },
      { kind: 'expire', account: b },
      { kind: 'give', account: b },
      { kind: 'drop', account: b },
      { kind: 'give', account: b },
      { kind: 'import', source: 'one', file: fileOf('as', 'br') },
      { kind: 'delete', source: 'two' },
      { kind: 'take', account: 'c@story.example' },
      { kind: 'import', source: 'two', file: fileOf('at', 'cr') },
      { kind: 'delete', source: 'one' },
      { kind: 'give', account: a },
    ]);
  }, 300_000);

  it('is what the model says after any acts', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(act, { minLength: 4, maxLength: 14 }), (acts) => play(acts)),
      { numRuns: stories, endOnFailure: true },
    );
  }, 300_000);
});
