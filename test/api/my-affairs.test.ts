/** People's own affairs, over HTTP: what is asked of them, what came of it, preferences, and who decides in their place. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Answer, type Loose, request, violatedFields } from '../support/api.ts';
import { startTestServer, type TestPerson, type TestServer } from '../support/server.ts';
import { until } from '../support/until.ts';
import { sendFile } from '../support/world.ts';

const people = [
  'email,display_name,manager_email',
  'boss@my.test,Boss Sample,',
  'one@my.test,One,boss@my.test',
  'two@my.test,Two,boss@my.test',
];
const grants = ['account,email,resource_type,resource,entitlement', 'a1,one@my.test,role,Ledger,read', 'a2,two@my.test,role,Ledger,read'];

describe('what somebody reads and sets of themselves', () => {
  let server: TestServer;
  let boss: TestPerson;
  let reviewId: string;
  const send = (person: TestPerson, method: string, path: string, body?: unknown): Promise<Answer> =>
    request(server, person, method, `/api/v1/${path}`, body);
  const ok = async (person: TestPerson, method: string, path: string, body?: unknown): Promise<Loose> => {
    const answer = await send(person, method, path, body);
    expect([path, answer.status, answer.status === 200 || answer.body]).toEqual([path, 200, true]);
    return answer.body;
  };

  beforeAll(async () => {
    server = await startTestServer();
    const { admin } = server;
    await sendFile(server, admin, '/api/v1/imports/people', people.join('\n'));
    const { appId } = (await sendFile(server, admin, '/api/v1/imports/grants?app=Ledger', grants.join('\n'))).body.import;
    const [found] = (await ok(admin, 'POST', 'search/users', { query: 'boss' })).list;
    boss = await server.issueClient(found.user.id);
    const made = await ok(admin, 'POST', 'access_review', {
      displayName: 'Quarterly',
      description: 'Payments.',
      completionDate: '2099-01-01T00:00:00Z',
    });
    reviewId = made.accessReview.accessReview.id;
    await ok(admin, 'POST', `access_review/${reviewId}`, { accessReview: { singleApp: { appId } } });
    for (const [action, state] of [
      ['prepare', 'REVIEW'],
      ['start', 'OPEN'],
    ]) {
      await ok(admin, 'POST', `access_review/${reviewId}/action/${action}`, {});
      await until(async () => {
        const { accessReview } = await ok(admin, 'GET', `access_review/${reviewId}`);
        expect(accessReview.accessReview.state).toBe(`ACCESS_REVIEW_STATE_${state}`);
      });
    }
  });
  afterAll(() => server.stop());

  it('begins with the running reviews that ask them', async () => {
    const { list, totals, inPlace, lastReview } = await ok(boss, 'GET', 'my/reviews');
    expect(list).toMatchObject([
      {
        accessReviewId: reviewId,
        displayName: 'Quarterly',
        description: 'Payments.',
        dueAt: '2099-01-01T00:00:00Z',
        isOverdue: false,
        counts: { total: '2', todo: '2', decided: '0', staged: '0' },
        reasons: [{ reason: 'ASKED_REASON_MANAGER', counts: { total: '2' } }],
        appDisplayName: 'Ledger',
        inPlace: [],
      },
    ]);
    expect(list[0].owners).toHaveLength(1);
    expect(totals).toEqual({
      secondsPerDecision: 0,
      decidable: '2',
      waiting: '2',
      overdue: '0',
      dueToday: '0',
      dueTomorrow: '0',
      staged: '0',
      timeZone: 'UTC',
    });
    expect([inPlace, lastReview ?? null]).toEqual([[], null]);
    expect((await ok(server.admin, 'GET', 'my/reviews')).list).toEqual([]);
  });

  it('lists what they submitted, and what came of their denials', async () => {
    const { rows } = await ok(boss, 'POST', `access_review/${reviewId}/queue`, {});
    const decisions = rows.map(({ taskId }: Loose) => ({ taskId, decision: 'REVIEW_DECISION_DENY', comment: 'No.' }));
    await ok(boss, 'POST', `access_review/${reviewId}/submissions`, { decisions });
    expect((await ok(boss, 'GET', 'my/submissions')).list).toMatchObject([
      {
        accessReviewId: reviewId,
        reviewDisplayName: 'Quarterly',
        isOpen: true,
        submission: { submitted: '2', denied: '2', userId: boss.id },
      },
    ]);
    expect((await ok(server.admin, 'GET', 'my/submissions')).list).toEqual([]);
    const { list, totals, certifiedUntilTotal } = await ok(boss, 'GET', 'my/outcomes');
    expect(list).toMatchObject([{ accessReviewId: reviewId, displayName: 'Quarterly', counts: { total: '2', held: '2' } }]);
    expect(list[0].latest[0]).toMatchObject({ outcome: 'MY_REMOVAL_OUTCOME_HELD', sentence: 'denied', appDisplayName: 'Ledger' });
    expect([totals.total, certifiedUntilTotal]).toEqual(['2', '0']);
    expect((await ok(boss, 'GET', `my/removals?access_review_id=${reviewId}&outcome=HELD`)).list).toHaveLength(2);
    expect((await ok(boss, 'GET', 'my/removals?outcome=MY_REMOVAL_OUTCOME_GONE')).list).toEqual([]);
    expect((await ok(boss, 'GET', 'my/certified_until')).list).toEqual([]);
    expect((await ok(server.admin, 'GET', 'my/outcomes')).totals.total).toBe('0');
  });

  it('keeps preferences, and refuses what makes no sense by its name', async () => {
    const untouched = { theme: 'THEME_SYSTEM', language: '', timeZone: '', letterKeysOff: false, keys: {} };
    expect((await ok(boss, 'GET', 'my/preferences')).preferences).toEqual(untouched);
    const chosen = {
      theme: 'DARK',
      language: 'pt-br',
      timeZone: 'Europe/Berlin',
      letterKeysOff: true,
      keys: { certify: 'a', 'go.home': 'g h' },
    };
    const set = await ok(boss, 'PUT', 'my/preferences', { preferences: chosen });
    expect(set).toMatchObject({ preferences: { ...chosen, theme: 'THEME_DARK', language: 'pt-BR' }, tenantTimeZone: 'UTC' });
    expect(await ok(boss, 'GET', 'my/preferences')).toEqual(set);
    expect((await ok(boss, 'GET', 'my/reviews')).totals.timeZone).toBe('Europe/Berlin');
    expect((await ok(server.admin, 'GET', 'my/preferences')).preferences).toEqual(untouched);
    for (const [preferences, field] of [
      [{ language: 'not a language' }, 'preferences.language'],
      [{ timeZone: '+02:00' }, 'preferences.timeZone'],
      [{ keys: { 'Not A Command': 'a' } }, 'preferences.keys'],
      [{ keys: { certify: '' } }, 'preferences.keys'],
      [{ keys: { certify: '\u0007' } }, 'preferences.keys'],
      [{ keys: Object.fromEntries(Array.from({ length: 65 }, (_, n) => [`c${n}`, 'a'])) }, 'preferences.keys'],
      [{ theme: 'PINK' }, 'preferences.theme'],
    ] as const) {
      const answer = await send(boss, 'PUT', 'my/preferences', { preferences });
      expect([answer.status, violatedFields(answer)]).toEqual([400, [field]]);
    }
    expect((await send(boss, 'PUT', 'my/preferences', {})).status).toBe(400);
    await ok(boss, 'PUT', 'my/preferences', { preferences: {} });
    expect((await ok(boss, 'GET', 'my/preferences')).preferences).toMatchObject(untouched);
    const events = await server.test.admin(`SELECT data FROM events WHERE kind = 'user.preferences_changed' ORDER BY id`);
    expect(events.map(({ data }) => data)).toEqual([
      { changed: ['keys', 'language', 'letterKeys', 'theme', 'timeZone'] },
      { changed: ['keys', 'language', 'letterKeys', 'theme', 'timeZone'] },
    ]);
  });

  it('lets them say who decides in their place, through a credential of their own alone', async () => {
    const [two] = (await ok(boss, 'POST', 'my/delegates', { query: 'two' })).list;
    expect(two.reassignee).toMatchObject({ displayName: 'Two', email: 'two@my.test' });
    expect((await send(boss, 'POST', 'my/delegates', { query: 't' })).status).toBe(400);
    expect((await ok(boss, 'POST', 'my/delegates', { query: 'boss' })).list).toEqual([]);
    // Words count from their beginning, in names and addresses alone, and there are ten at most, without further pages.
    expect((await ok(boss, 'POST', 'my/delegates', { query: 'wo' })).list).toEqual([]);
    expect((await ok(boss, 'POST', 'my/delegates', { query: 'my.te' })).list.length).toBeGreaterThan(0);
    expect((await send(boss, 'POST', 'my/delegates', { query: '%%' })).status).toBe(400);
    expect((await ok(boss, 'POST', 'my/delegates', { query: '%_' + 'wo' })).list).toEqual([]);
    for (let one = 0; one < 12; one++) {
      await server.makePerson(`many${one}@my.test`);
    }
    const many = await ok(boss, 'POST', 'my/delegates', { query: 'many', pageSize: 100 });
    expect([many.list.length, many.nextPageToken]).toEqual([10, '']);
    const wanted = { delegatedUserId: two.reassignee.userId, delegationExpireAt: '2099-02-01T00:00:00Z' };
    // Somebody else made the credential of this person.
    expect((await send(boss, 'PUT', 'my/delegation', wanted)).status).toBe(403);
    const { admin } = server;
    expect((await ok(admin, 'GET', 'my/delegation')).delegate ?? null).toBeNull();
    const set = await ok(admin, 'PUT', 'my/delegation', wanted);
    expect(set.delegate).toMatchObject({
      userId: wanted.delegatedUserId,
      displayName: 'Two',
      expireAt: wanted.delegationExpireAt,
      isActive: true,
    });
    expect((await ok(admin, 'GET', 'my/delegation')).delegate).toEqual(set.delegate);
    const other = await server.issueClient(wanted.delegatedUserId);
    expect((await ok(other, 'GET', 'my/delegation')).inPlaceOf).toMatchObject([{ userId: admin.id, isActive: true }]);
    for (const [body, status] of [
      [{ delegatedUserId: admin.id }, 400],
      [{ delegatedUserId: 'unknown' }, 400],
      [{ ...wanted, delegationExpireAt: '2001-01-01T00:00:00Z' }, 400],
    ] as const) {
      expect((await send(admin, 'PUT', 'my/delegation', body)).status).toBe(status);
    }
    expect((await ok(admin, 'PUT', 'my/delegation', {})).delegate ?? null).toBeNull();
    expect((await ok(other, 'GET', 'my/delegation')).inPlaceOf).toEqual([]);
  });
});
