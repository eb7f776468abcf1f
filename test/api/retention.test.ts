/** Retention, over HTTP and by the command line. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { request, violatedFields } from '../support/api.ts';
import { environmentFor, runInProcess } from '../support/command-line.ts';
import { startTestServer, type TestPerson, type TestServer } from '../support/server.ts';

let server: TestServer;
let reader: TestPerson;
let basic: TestPerson;
const path = '/api/v1/settings/retention';

beforeAll(async () => {
  server = await startTestServer({ config: { minimumEventYears: 5 } });
  reader = await server.makePerson('reader@example.com', ['READ_ONLY_ADMINISTRATOR']);
  basic = await server.makePerson('basic@example.com');
});
afterAll(() => server.stop());

describe('retention', () => {
  it('is read and set, member by member', async () => {
    expect(await request(server, reader, 'GET', path)).toEqual({
      status: 200,
      body: { retention: { reportDays: 1_095, eventYears: 0, reviewYears: 7, minimumEventYears: 5 } },
    });
    const masked = { retention: { reportDays: 90, eventYears: 9, reviewYears: 8 }, updateMask: 'reportDays,reviewYears' };
    expect((await request(server, server.admin, 'POST', path, masked)).body).toEqual({
      retention: { reportDays: 90, eventYears: 0, reviewYears: 8, minimumEventYears: 5 },
    });
  });

  it('becomes shorter for evidence when another Super Administrator confirms it', async () => {
    const second = await server.makePerson('second@example.com', ['SUPER_ADMINISTRATOR']);
    const asked = await request(server, server.admin, 'POST', path, { retention: { eventYears: 6 } });
    expect(asked).toMatchObject({ status: 200, body: { retention: { eventYears: 0 }, request: { eventYears: 6, canConfirm: false } } });
    expect((await request(server, server.admin, 'POST', path, { retention: { reviewYears: 2 } })).status).toBe(409);
    const confirm = `/api/v1/second_person_requests/${asked.body.request.id}/confirm`;
    expect((await request(server, server.admin, 'POST', confirm, {})).status).toBe(403);
    expect((await request(server, await server.issueClient(second.id), 'POST', confirm, {})).status).toBe(403);
    expect((await request(server, second, 'POST', confirm, {})).body.request).toMatchObject({
      state: 'SECOND_PERSON_REQUEST_STATE_CONFIRMED',
    });
    expect((await request(server, second, 'POST', confirm, {})).status).toBe(400);
    expect((await request(server, reader, 'GET', path)).body.retention).toMatchObject({ reportDays: 90, eventYears: 6, reviewYears: 8 });
  });

  it('names the member that is wrong, and the least', async () => {
    const refused = await request(server, server.admin, 'POST', path, { retention: { reportDays: 0, eventYears: 4, reviewYears: 31 } });
    expect(refused.status).toBe(400);
    expect(violatedFields(refused)).toEqual(['retention.reportDays', 'retention.eventYears', 'retention.reviewYears']);
    expect(refused.body.message).toContain('5 to 100');
  });

  it('is for administrators', async () => {
    expect((await request(server, undefined, 'GET', path)).status).toBe(401);
    expect((await request(server, basic, 'GET', path)).status).toBe(403);
    expect((await request(server, reader, 'POST', path, { retention: { reportDays: 80 } })).status).toBe(403);
  });

  it('is shown and set by the command line', async () => {
    const env = environmentFor(server.url, server.admin.credential);
    expect(await runInProcess(['retention', 'set', '--report-days', '365', '--event-years', '0'], { env })).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/365 days\n.*for ever/),
    });
    expect(await runInProcess(['retention', 'show', '--json'], { env })).toMatchObject({
      stdout: expect.stringContaining('"reportDays": 365'),
    });
    expect(await runInProcess(['retention', 'set'], { env })).toMatchObject({ code: 2 });
  });

  it('has commands for legal holds and for what waits for a second person', async () => {
    const env = environmentFor(server.url, server.admin.credential);
    const run = async (...words: string[]) => {
      const result = await runInProcess([...words, '--json'], { env });
      expect([words, result.code]).toEqual([words, 0]);
      return JSON.parse(result.stdout);
    };
    const { id } = await run('hold', 'set', 'Case 9');
    expect(await runInProcess(['hold', 'list', '--standing'], { env })).toMatchObject({
      stdout: expect.stringMatching(/the company.*Case 9/),
    });
    const lift = await run('hold', 'lift', id, 'The case is over');
    expect(await runInProcess(['request', 'list'], { env })).toMatchObject({
      stdout: expect.stringMatching(/lift_hold.*open.*The case is over/),
    });
    expect(await runInProcess(['request', 'confirm', lift.id], { env })).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('Somebody else has to confirm this'),
    });
    expect(await run('request', 'reject', lift.id)).toMatchObject({ state: 'SECOND_PERSON_REQUEST_STATE_REJECTED' });
    expect(await runInProcess(['user', 'erase', 'basic@example.com', 'They asked'], { env })).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('legal hold'),
    });
  });
});
