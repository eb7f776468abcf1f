/** Reviews as rows of a list over HTTP: filters, orders and pages, how far each is, and who sees which. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Answer, type Loose, request, violatedFields } from '../support/api.ts';
import { type ServedTenant, useTestServer, type TestPerson, type TestServer } from '../support/server.ts';
import { until } from '../support/until.ts';
import { sendFile } from '../support/world.ts';

const people = [
  'email,display_name,manager_email',
  'boss@list.test,Boss,',
  'one@list.test,One,boss@list.test',
  'two@list.test,Two,boss@list.test',
];
const grants = [
  'account,email,resource_type,resource,entitlement',
  'a1,one@list.test,role,Ledger,read',
  'a2,two@list.test,role,Ledger,read',
];

describe('the search for reviews', () => {
  let server: TestServer;
  let other: ServedTenant;
  let boss: TestPerson;
  let appId: string;
  const send = (person: TestPerson, path: string, body: object): Promise<Answer> =>
    request(server, person, 'POST', `/api/v1/${path}`, body);
  const ok = async (person: TestPerson, path: string, body: object = {}): Promise<Loose> => {
    const answer = await send(person, path, body);
    expect([path, answer.status, answer.status === 200 || answer.body]).toEqual([path, 200, true]);
    return answer.body;
  };
  const names = async (body: object = {}, person: TestPerson = server.admin): Promise<string[]> =>
    (await ok(person, 'search/access_reviews', body)).list.map(({ displayName }: Loose) => displayName);
  const make = async (displayName: string, more: object = {}): Promise<string> =>
    (await ok(server.admin, 'access_review', { displayName, ...more })).accessReview.accessReview.id;

  beforeAll(async () => {
    server = await useTestServer();
    other = await server.makeTenant('other.example');
    await sendFile(server, server.admin, '/api/v1/imports/people', people.join('\n'));
    appId = (await sendFile(server, server.admin, '/api/v1/imports/grants?app=Ledger', grants.join('\n'))).body.import.appId;
    const { list } = await ok(server.admin, 'search/users', { query: 'boss' });
    boss = await server.issueClient(list[0].user.id);
    await make('Zebra', { completionDate: '2098-01-01T00:00:00Z' });
    await make('apes', { ownerIds: [boss.id] });
    const id = await make('Ledger', { completionDate: '2097-01-01T00:00:00Z', description: 'Who may read?' });
    await ok(server.admin, `access_review/${id}`, { accessReview: { singleApp: { appId } } });
    for (const [action, state] of [
      ['prepare', 'REVIEW'],
      ['start', 'OPEN'],
    ]) {
      await ok(server.admin, `access_review/${id}/action/${action}`);
      await until(async () => {
        const { body } = await request(server, server.admin, 'GET', `/api/v1/access_review/${id}`);
        expect(body.accessReview.accessReview.state).toBe(`ACCESS_REVIEW_STATE_${state}`);
      });
    }
    const { rows } = await ok(boss, `access_review/${id}/queue`);
    await ok(boss, `tasks/${rows[0].taskId}/action/deny`, { comment: 'No.' });
  });
  afterAll(() => server.stop());

  it('has each with how far it is, and counts the states', async () => {
    const { list, states } = await ok(server.admin, 'search/access_reviews', { query: 'who may' });
    expect(list).toMatchObject([
      {
        displayName: 'Ledger',
        state: 'ACCESS_REVIEW_STATE_OPEN',
        counts: { total: '2', undecided: '1', revoked: '1' },
        waitingPeople: '1',
        askedPeople: '1',
        unassigned: '0',
        dueAt: '2097-01-01T00:00:00Z',
        isOverdue: false,
        owners: [{ userId: server.admin.id }],
        removals: '1',
        removalsProven: '0',
      },
    ]);
    expect(states).toEqual([{ state: 'ACCESS_REVIEW_STATE_OPEN', count: '1' }]);
    const all = await ok(server.admin, 'search/access_reviews', { states: ['ACCESS_REVIEW_STATE_DRAFT'] });
    expect(all.list).toHaveLength(2);
    expect(all.states.map(({ state, count }: Loose) => `${state} ${count}`).sort()).toEqual([
      'ACCESS_REVIEW_STATE_DRAFT 2',
      'ACCESS_REVIEW_STATE_OPEN 1',
    ]);
  });

  it('sorts by time, due date and name', async () => {
    expect(await names()).toEqual(['Ledger', 'apes', 'Zebra']);
    expect(await names({ sort: 'DUE' })).toEqual(['Ledger', 'Zebra', 'apes']);
    expect(await names({ sort: 'REVIEW_SORT_NAME' })).toEqual(['apes', 'Ledger', 'Zebra']);
  });

  it('sorts by the close, the last first, and finds those of a template', async () => {
    const template = (await ok(server.admin, 'access_review_template', { displayName: 'Each quarter' })).accessReviewTemplate.id;
    const made = [await make('Closed first'), await make('Closed last')];
    for (const [index, id] of made.entries()) {
      await ok(server.admin, `access_review/${id}`, { accessReview: { accessReviewTemplateId: template } });
      await server.test.admin(
        `UPDATE reviews SET state = 'CLOSED', closed_at = now() - make_interval(days => $3) WHERE tenant_id = $1 AND id = $2`,
        [server.id, id, made.length - index],
      );
    }
    expect(await names({ sort: 'CLOSED' })).toEqual(['Closed last', 'Closed first', 'Ledger', 'apes', 'Zebra']);
    expect(await names({ templateIds: [template] })).toEqual(['Closed last', 'Closed first']);
    expect(await names({ templateIds: ['unknown'] })).toEqual([]);
    await server.test.admin(`UPDATE reviews SET state = 'DELETED' WHERE tenant_id = $1 AND id = ANY ($2)`, [server.id, made]);
  });

  it('filters by owner, app and words', async () => {
    expect(await names({ ownerIds: [boss.id] })).toEqual(['apes']);
    expect(await names({ appIds: [appId] })).toEqual(['Ledger']);
    expect(await names({ appIds: ['unknown'] })).toEqual([]);
    expect(await names({ query: 'ZEB' })).toEqual(['Zebra']);
    const answer = await send(server.admin, 'search/access_reviews', { query: 'x'.repeat(1001) });
    expect([answer.status, violatedFields(answer)]).toEqual([400, ['query']]);
  });

  it('goes on from page to page in each order', async () => {
    for (let count = 0; count < 12; count++) {
      await make(`More ${count % 4}`, count % 2 === 0 ? {} : { completionDate: `2099-01-${10 + (count % 3)}T00:00:00Z` });
    }
    for (const sort of ['NEWEST', 'DUE', 'NAME', 'CLOSED']) {
      const whole = (await ok(server.admin, 'search/access_reviews', { sort, pageSize: 100 })).list;
      const paged: Loose[] = [];
      let pageToken = '';
      do {
        const page = await ok(server.admin, 'search/access_reviews', { sort, pageSize: 10, pageToken });
        expect(page.states.length > 0).toBe(pageToken === '');
        paged.push(...page.list);
        pageToken = page.nextPageToken;
      } while (pageToken !== '');
      expect(paged.map(({ accessReviewId }) => accessReviewId)).toEqual(whole.map(({ accessReviewId }: Loose) => accessReviewId));
    }
  });

  it('shows somebody their own, and another tenant nothing', async () => {
    expect(await names({}, boss)).toEqual(['apes']);
    const { body } = await request(other, other.admin, 'POST', '/api/v1/search/access_reviews', {});
    expect([body.list, body.states]).toEqual([[], []]);
  });
});
