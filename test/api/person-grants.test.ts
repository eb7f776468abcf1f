/** One person's access over HTTP: current and ended grants with the decisions about them, for administrators and for the person. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Answer, type Loose, request } from '../support/api.ts';
import { type ServedTenant, useTestServer, type TestPerson, type TestServer } from '../support/server.ts';
import { until } from '../support/until.ts';
import { sendFile } from '../support/world.ts';

const header = 'account,email,resource_type,resource,entitlement,last_used_at';
const held = [
  'ann1,ann@held.test,role,Ledger,read,2026-01-02T00:00:00Z',
  'ann1,ann@held.test,role,Ledger,pay,',
  'bob1,bob@held.test,role,Ledger,read,',
];

describe('what one person holds', () => {
  let server: TestServer;
  let other: ServedTenant;
  let ann: TestPerson;
  let bobId: string;
  let appId: string;
  let reviewId: string;
  const send = (person: TestPerson, method: string, path: string, body?: unknown): Promise<Answer> =>
    request(server, person, method, `/api/v1/${path}`, body);
  const ok = async (person: TestPerson, method: string, path: string, body?: unknown): Promise<Loose> => {
    const answer = await send(person, method, path, body);
    expect([path, answer.status, answer.status === 200 || answer.body]).toEqual([path, 200, true]);
    return answer.body;
  };
  const file = async (rows: readonly string[]): Promise<Loose> => {
    const answer = await sendFile(
      server,
      server.admin,
      '/api/v1/imports/grants?app=Ledger&allow_removals=true',
      [header, ...rows].join('\n'),
    );
    expect(answer.status).toBe(200);
    return answer.body;
  };
  const names = ({ list }: Loose): string[] =>
    list
      .filter(({ isDerived }: Loose) => !isDerived)
      .map(({ entitlement, endedAt }: Loose) => `${entitlement}${endedAt === undefined ? '' : ' ended'}`)
      .sort();
  const of = (rows: Loose, part: string): Loose => rows.list.find(({ entitlement }: Loose) => entitlement.includes(part));

  beforeAll(async () => {
    server = await useTestServer();
    other = await server.makeTenant('other.example');
    const { admin } = server;
    const people = [
      'email,display_name,manager_email',
      'boss@held.test,Boss,',
      'ann@held.test,Ann,boss@held.test',
      'bob@held.test,Bob,boss@held.test',
    ];
    await sendFile(server, admin, '/api/v1/imports/people', people.join('\n'));
    appId = (await file(held)).import.appId;
    const { list } = await ok(admin, 'POST', 'search/users', { pageSize: 100 });
    const idOf = (email: string): string => list.find(({ user }: Loose) => user.email === email).user.id;
    ann = await server.issueClient(idOf('ann@held.test'));
    bobId = idOf('bob@held.test');
    const boss = await server.issueClient(idOf('boss@held.test'));
    const made = await ok(admin, 'POST', 'access_review', { displayName: 'Quarterly' });
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
    const { rows } = await ok(boss, 'POST', `access_review/${reviewId}/queue`, { query: 'pay' });
    await ok(boss, 'POST', `tasks/${rows[0].taskId}/action/deny`, { comment: 'No.' });
  });
  afterAll(() => server.stop());

  it('is listed with what reviews decided and what they ask', async () => {
    const found = await ok(server.admin, 'GET', `users/${ann.id}/grants`);
    expect(names(found)).toHaveLength(2);
    expect(found.totals).toMatchObject({ current: '2', apps: '1', ended: '0', accounts: '1', lastDecidedAt: expect.any(String) });
    expect(of(found, 'pay')).toMatchObject({
      appId,
      appDisplayName: 'Ledger',
      resource: 'Ledger',
      account: 'ann1',
      accountStatus: 'ENABLED',
      isDirect: true,
      inConflict: false,
      openTaskId: '',
      decisions: [{ accessReviewId: reviewId, reviewDisplayName: 'Quarterly', outcome: 'DECERTIFIED', decidedBy: 'Boss' }],
    });
    expect(of(found, 'read')).toMatchObject({ lastUsedAt: '2026-01-02T00:00:00Z', decisions: [], openAccessReviewId: reviewId });
    expect(of(found, 'read').openTaskId).not.toBe('');
  });

  it('is read by the person, without what runs and without who decided', async () => {
    const found = await ok(ann, 'GET', `users/${ann.id}/grants`);
    expect(names(found)).toHaveLength(2);
    expect(found.list.flatMap(({ decisions, openTaskId }: Loose) => [...decisions, ...(openTaskId === '' ? [] : [openTaskId])])).toEqual(
      [],
    );
    await ok(server.admin, 'POST', `access_review/${reviewId}/action/close`, {});
    await until(async () => {
      const { accessReview } = await ok(server.admin, 'GET', `access_review/${reviewId}`);
      expect(accessReview.accessReview.state).toBe('ACCESS_REVIEW_STATE_CLOSED');
    });
    const after = await ok(ann, 'GET', `users/${ann.id}/grants`);
    expect(of(after, 'pay').decisions).toMatchObject([{ outcome: 'DECERTIFIED', decidedByUserId: '', decidedBy: '' }]);
  });

  it('is nothing that others know of', async () => {
    for (const id of [bobId, 'x'.repeat(27)]) {
      expect([id, (await send(ann, 'GET', `users/${id}/grants`)).status]).toEqual([id, 404]);
    }
    expect((await request(other, other.admin, 'GET', `/api/v1/users/${ann.id}/grants`)).status).toBe(404);
    expect((await send(server.admin, 'GET', `users/${'x'.repeat(27)}/grants`)).status).toBe(404);
  });

  it('has what ended where it is asked for, page by page', async () => {
    await file([held[0] ?? '', held[2] ?? '']);
    expect(names(await ok(server.admin, 'GET', `users/${ann.id}/grants`))).toHaveLength(1);
    const found = await ok(server.admin, 'GET', `users/${ann.id}/grants?include_ended=true`);
    expect(names(found).filter((name) => name.endsWith('ended'))).toHaveLength(1);
    expect(of(found, 'pay')).toMatchObject({ endedAt: expect.any(String), decisions: [{ outcome: 'DECERTIFIED' }] });
    expect(found.totals).toMatchObject({ current: '1', ended: '1' });
    await file([...held, ...Array.from({ length: 14 }, (_, n) => `ann1,ann@held.test,role,More,e${n},`)]);
    const whole = await ok(server.admin, 'GET', `users/${ann.id}/grants?include_ended=true&page_size=100`);
    const paged: Loose[] = [];
    let token = '';
    do {
      const page = await ok(server.admin, 'GET', `users/${ann.id}/grants?include_ended=true&page_size=10&page_token=${token}`);
      expect(page.totals === undefined).toBe(token !== '');
      paged.push(...page.list);
      token = page.nextPageToken;
    } while (token !== '');
    expect(paged).toEqual(whole.list);
    // Given again: the decision belongs to its life before.
    const lives = whole.list.filter(({ entitlement }: Loose) => entitlement.includes('pay'));
    expect(lives.map(({ endedAt, decisions }: Loose) => [endedAt !== undefined, decisions.length])).toEqual([
      [true, 1],
      [false, 0],
    ]);
  });
});
