/** A reviewer's queue over HTTP: rows with what stands out, counts, groups, filters and pages; and the insights of their tasks. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Answer, type Loose, request } from '../support/api.ts';
import { useTestServer, type TestPerson, type TestServer } from '../support/server.ts';
import { sendFile } from '../support/world.ts';

const upTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index);
const people = [
  'email,display_name,department,job_title,manager_email',
  'boss@corp.test,Boss,,,',
  ...upTo(8).map((n) => `p${n}@corp.test,Person ${n},Fin,Acct,boss@corp.test`),
].join('\n');
const grants = [
  'account,email,resource_type,resource,entitlement,last_used_at',
  ...upTo(8).map((n) => `a${n},p${n}@corp.test,role,Ledger,read,${new Date(Date.now() - 86_400_000).toISOString()}`),
  `a0,p0@corp.test,role,Ledger,pay,${new Date(Date.now() - 100.5 * 86_400_000).toISOString()}`,
  ...upTo(3).map((n) => `a${n},p${n}@corp.test,role,Staff,member,`),
].join('\n');

describe('a queue', () => {
  let server: TestServer;
  let boss: TestPerson;
  let reviewId: string;
  const send = (person: TestPerson, method: string, path: string, body?: unknown): Promise<Answer> =>
    request(server, person, method, path, body);
  const ok = async (person: TestPerson, method: string, path: string, body?: unknown): Promise<Loose> => {
    const answer = await send(person, method, path, body);
    expect([path, answer.status, answer.status === 200 || answer.body]).toEqual([path, 200, true]);
    return answer.body;
  };
  const queue = (body: object = {}): Promise<Loose> => ok(boss, 'POST', `/api/v1/access_review/${reviewId}/queue`, body);
  const items = ({ rows }: Loose): string[] => rows.map((row: Loose) => `${row.account} ${row.resource} ${row.terms.join(' ')}`);

  const until = async (state: string): Promise<void> => {
    for (let attempt = 0; attempt < 3000; attempt++) {
      const { accessReview } = await ok(server.admin, 'GET', `/api/v1/access_review/${reviewId}`);
      if (accessReview.accessReview.state === state) {
        return;
      }
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    throw new Error(`the review did not become ${state}`);
  };

  beforeAll(async () => {
    server = await useTestServer();
    const { admin } = server;
    await sendFile(server, admin, '/api/v1/imports/people', people);
    const { body } = await sendFile(server, admin, '/api/v1/imports/grants?app=Ledger', grants);
    const { appId } = body.import;
    const users: Loose[] = (await ok(admin, 'POST', '/api/v1/search/users', { query: 'boss' })).list;
    boss = await server.issueClient(users[0].user.id);
    const made = await ok(admin, 'POST', '/api/v1/access_review', { displayName: 'Quarterly' });
    reviewId = made.accessReview.accessReview.id;
    await ok(admin, 'POST', `/api/v1/access_review/${reviewId}`, { accessReview: { singleApp: { appId } } });
    for (const [action, state] of [
      ['prepare', 'REVIEW'],
      ['start', 'OPEN'],
    ]) {
      await ok(admin, 'POST', `/api/v1/access_review/${reviewId}/action/${action}`, {});
      await until(`ACCESS_REVIEW_STATE_${state}`);
    }
  });
  afterAll(() => server.stop());

  it('begins with what deserves a look, and counts by section and group on its first page', async () => {
    const all = await queue();
    expect(all.rows).toHaveLength(12);
    const [first] = all.rows;
    expect(first).toMatchObject({
      account: 'a0',
      person: 'Person 0',
      department: 'Fin',
      jobTitle: 'Acct',
      section: 'REVIEW_QUEUE_SECTION_CLOSER',
      score: 50,
      terms: ['DORMANT', 'OUTLIER', 'NO_DESCRIPTION'],
      recommendation: 'REVIEW',
      state: 'OPEN',
      actions: ['APPROVE', 'DENY', 'REASSIGN'],
      requiresDenialReason: false,
      stagedDecision: 'REVIEW_DECISION_UNSPECIFIED',
    });
    const scores: number[] = all.rows.map((row: Loose) => row.score);
    expect(scores).toEqual([...scores].sort((left, right) => right - left));
    expect(all.counts).toEqual({ total: '12', todo: '12', decided: '0', staged: '0' });
    expect(all.sections.map(({ section, counts }: Loose) => [section.replace('REVIEW_QUEUE_SECTION_', ''), counts.total])).toEqual([
      ['CLOSER', '1'],
      ['OTHER', '11'],
    ]);
    expect((await queue({ by: 'RESOURCE' })).groups.map(({ displayName, counts }: Loose) => [displayName, counts.total])).toEqual([
      ['Ledger', '9'],
      ['Staff', '3'],
    ]);
    const { groups } = await queue({ by: 'PERSON' });
    expect(groups.map(({ displayName, counts }: Loose) => `${displayName} ${counts.total}`).slice(0, 3)).toEqual([
      'Person 0 3',
      'Person 1 2',
      'Person 2 2',
    ]);
    expect(items(await queue({ by: 'PERSON', group: groups[1].id }))).toHaveLength(2);
    expect(items(await queue({ query: 'staff' }))).toHaveLength(3);
  });

  it('goes on from page to page in one order, and counts only once', async () => {
    const whole = items(await queue());
    const paged: string[] = [];
    let token = '';
    do {
      const page = await queue({ limit: 5, pageToken: token });
      expect([page.counts === undefined || page.counts === null, page.groups.length > 0]).toEqual([token !== '', token === '']);
      paged.push(...items(page));
      token = page.nextPageToken;
    } while (token !== '');
    expect(paged).toEqual(whole);
    expect((await send(boss, 'POST', `/api/v1/access_review/${reviewId}/queue`, { limit: 1001 })).status).toBe(400);
  });

  it('is sorted as it is asked for, from page to page', async () => {
    const sorted = async (order: string, limit = 100): Promise<string[]> => {
      const rows: Loose[] = [];
      let pageToken = '';
      do {
        const page = await queue({ order, limit, pageToken });
        rows.push(...page.rows);
        pageToken = page.nextPageToken;
      } while (pageToken !== '');
      expect(new Set(rows.map(({ taskId }) => taskId)).size).toBe(12);
      return rows.map((row) => `${row.person} ${row.entitlement} ${row.lastUsedAt === undefined || row.lastUsedAt === null ? '' : 'used'}`);
    };
    for (const order of ['REVIEW_QUEUE_ORDER_ATTENTION', 'PERSON', 'ENTITLEMENT', 'UNUSED', 'NEWEST']) {
      expect([order, await sorted(order, 5)]).toEqual([order, await sorted(order)]);
    }
    expect(await sorted('UNSPECIFIED')).toEqual(await sorted('ATTENTION'));
    const byPerson = (await sorted('PERSON')).map((row) => row.slice(0, 8));
    expect([byPerson, byPerson[0], byPerson[11]]).toEqual([[...byPerson].sort(), 'Person 0', 'Person 7']);
    const rights = (await queue({ order: 'ENTITLEMENT' })).rows.map(({ entitlement }: Loose) => entitlement);
    expect(rights).toEqual([...rights].sort());
    expect(new Set(rights).size).toBe(3);
    const unused = await sorted('UNUSED');
    expect(unused[0]).toMatch(/^Person 0 .*pay.* used$/);
    expect(unused.map((row) => row.endsWith('used'))).toEqual([...Array(9).fill(true), ...Array(3).fill(false)]);
    // In a part of the queue, too.
    const { groups } = await queue({ by: 'RESOURCE' });
    expect(items(await queue({ by: 'RESOURCE', group: groups[1].id, order: 'ENTITLEMENT' }))).toHaveLength(3);
    expect(items(await queue({ query: 'staff', order: 'PERSON' })).map((item) => item.slice(0, 2))).toEqual(['a0', 'a1', 'a2']);
    expect((await send(boss, 'POST', `/api/v1/access_review/${reviewId}/queue`, { order: 'COLOUR' })).status).toBe(400);
  });

  it('has what the caller staged and what was decided', async () => {
    const { rows } = await queue();
    const [first, second] = rows;
    await ok(boss, 'PUT', `/api/v1/access_review/${reviewId}/pending_decisions`, {
      decisions: [{ taskId: first.taskId, decision: 'REVIEW_DECISION_DENY', comment: 'Unused.' }],
    });
    await ok(boss, 'POST', `/api/v1/tasks/${second.taskId}/action/approve`, {});
    const { rows: mine, counts } = await queue({ show: 'MINE' });
    expect(counts).toEqual({ total: '12', todo: '10', decided: '1', staged: '1' });
    expect(mine).toMatchObject([
      { taskId: first.taskId, stagedDecision: 'REVIEW_DECISION_DENY', stagedComment: 'Unused.', state: 'OPEN' },
      { taskId: second.taskId, state: 'CLOSED', outcome: 'CERTIFIED', decidedBy: 'Boss', actions: [] },
    ]);
    expect((await queue({ show: 'REVIEW_QUEUE_SHOW_OPEN' })).rows).toHaveLength(10);
    expect((await queue({ show: 'CLOSER' })).rows).toHaveLength(1);
    expect((await queue({ show: 'DECIDED' })).rows).toHaveLength(2);
  });

  it('says from where on its changes are asked for, so that nothing between the two is missed', async () => {
    const { rows, changesCursor } = await queue({ show: 'OPEN' });
    const last = rows.at(-1);
    const other = await server.makePerson('passed@corp.test');
    await ok(server.admin, 'POST', `/api/v1/tasks/${last.taskId}/action/reassign`, { newStepUserIds: [other.id], comment: 'Yours.' });
    const { list } = await ok(boss, 'GET', `/api/v1/access_review/${reviewId}/changes?since=${changesCursor}`);
    expect(list).toMatchObject([{ taskId: last.taskId, kind: 'REVIEW_CHANGE_KIND_MOVED_AWAY' }]);
    // Every page says it, and a queue that is read now begins behind what happened.
    const [page, again] = [await queue({ limit: 1 }), await queue()];
    const next = await queue({ limit: 1, pageToken: page.nextPageToken });
    expect([next.changesCursor, again.changesCursor].every((cursor) => cursor >= changesCursor)).toBe(true);
    await ok(server.admin, 'POST', `/api/v1/tasks/${last.taskId}/action/reassign`, {
      newStepUserIds: [boss.id],
      comment: 'Back.',
    });
  });

  it('is of whoever is asked: others know of none', async () => {
    const other = await server.makePerson('other@corp.test');
    expect((await send(other, 'POST', `/api/v1/access_review/${reviewId}/queue`, {})).status).toBe(404);
    expect((await ok(server.admin, 'POST', `/api/v1/access_review/${reviewId}/queue`, {})).rows.length).toBeLessThan(12);
  });

  it('leads to tasks whose insights say why, each in a sentence', async () => {
    const { rows } = await queue();
    const body = { refs: [{ id: rows[0].taskId }], expandMask: { paths: ['insight_ids'] } };
    const { list, expanded } = await ok(boss, 'POST', '/api/v1/search/tasks', body);
    expect(list[0].task).toMatchObject({
      recommendation: 'INSIGHT_RECOMMENDATION_REVIEW',
      insightIds: ['DORMANT', 'OUTLIER', 'NO_DESCRIPTION'].map((term) => `${rows[0].taskId}-${term}`),
    });
    expect(list[0].insightsPath).toBe('$.expanded[0,1,2]');
    expect(expanded.map(({ points, sentence }: Loose) => [points, sentence])).toEqual([
      [30, 'The access was not used for 100 days.'],
      [20, 'Only 0 of 7 other people with the title Acct in Fin hold the entitlement.'],
      [0, 'The entitlement has no description.'],
    ]);
    // The same in no language, for clients that have their own.
    expect(expanded.map(({ code, parameters }: Loose) => [code, parameters])).toEqual([
      ['DORMANT', { days: '100' }],
      ['OUTLIER_BY_TITLE', { with: '0', of: '7', title: 'Acct', department: 'Fin' }],
      ['NO_DESCRIPTION', {}],
    ]);
    expect(list[0].task.data).toMatchObject({
      peers: { by: 'TITLE', with: '0', of: '7', title: 'Acct', department: 'Fin' },
      changes: [],
      changeCodes: [],
    });
  });
});
