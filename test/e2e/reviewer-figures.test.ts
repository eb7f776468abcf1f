/** `review figures` as whoever runs a review meets it, the summary of a closed review, and its report. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { request } from '../support/api.ts';
import { environmentFor, runInProcess } from '../support/command-line.ts';
import type { TestServer } from '../support/server.ts';
import type { World } from '../support/world.ts';
import { startWorld } from '../support/world-server.ts';

let server: TestServer;
let world: World;
let id: string;

const admin = (method: string, path: string, body?: unknown) => request(server, server.admin, method, path, body);
const figures = (...args: string[]) =>
  runInProcess(['review', 'figures', id, ...args], { env: environmentFor(server.url, server.admin.credential) });

beforeAll(async () => {
  const made = await startWorld();
  server = made.server;
  world = made.world;
  id = await world.openReview();
});
afterAll(() => server.stop());

it('says so before anybody decided', async () => {
  expect(await figures()).toMatchObject({ code: 0, stdout: 'nobody decided yet\n' });
});

it('shows who decided many at a time, to people and to programs', async () => {
  const { body } = await admin('POST', '/api/v1/search/tasks', { accessReviewIds: [id], pageSize: 100 });
  const decisions = body.list.slice(0, 60).map(({ task }: { task: { id: string } }, index: number) => ({
    taskId: task.id,
    decision: index < 59 ? 'REVIEW_DECISION_CERTIFY' : 'REVIEW_DECISION_DENY',
    comment: 'Fine.',
  }));
  await admin('POST', `/api/v1/access_review/${id}/submissions`, { decisions });
  const { code, stdout, stderr } = await figures();
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toMatch(/^REVIEWER +DECISIONS +APPROVED +SECONDS +LONGEST RUN +IN BULK/);
  expect(stdout).toMatch(/ 60 +98 % +- +\d+ +100 % +0 % +\d+ +BULK/);
  expect(stdout).toContain('not whether they are right');
  const [row] = JSON.parse((await figures('--json')).stdout);
  expect(row).toMatchObject({ decisions: '60', approvals: '59', approvalRate: 0.9833, bulkShare: 1, flags: ['REVIEWER_FLAG_BULK'] });
  const csv = (await figures('--csv')).stdout.trimEnd().split('\r\n');
  expect(csv).toHaveLength(2);
  expect(csv[0]).toMatch(/^userId,displayName,email,decisions,/);
  expect(csv[1]).toMatch(/,BULK$/);
});

it('stands in the summary of the closed review and beside each decision in its report', async () => {
  await admin('POST', `/api/v1/access_review/${id}/action/close`, {});
  await world.until(id, 'CLOSED');
  const { body } = await admin('GET', `/api/v1/access_review/${id}`);
  expect(JSON.stringify(body)).toContain('the figures of 1 of 1 person deserve a look: 1 deciding mostly many at a time');
  const report = (format: string) =>
    runInProcess(['review', 'report', id, '--format', format, '--output', '-'], {
      env: environmentFor(server.url, server.admin.credential),
    });
  const items = JSON.parse((await report('json')).stdout) as { certifiers: { flags?: string[] }[] }[];
  const flagged = items.filter(({ certifiers }) => certifiers.some(({ flags = [] }) => flags.includes('BULK')));
  expect(flagged).toHaveLength(60);
  expect((await report('csv')).stdout.match(/figures to look at: BULK/g)).toHaveLength(60);
});
