/** How long things are kept, over HTTP and by the command line. */
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
      body: { retention: { reportDays: 1_095, eventYears: 0, minimumEventYears: 5 } },
    });
    expect(await request(server, server.admin, 'POST', path, { retention: { eventYears: 6 } })).toEqual({
      status: 200,
      body: { retention: { reportDays: 1_095, eventYears: 6, minimumEventYears: 5 } },
    });
    const masked = { retention: { reportDays: 90, eventYears: 9 }, updateMask: 'reportDays' };
    expect((await request(server, server.admin, 'POST', path, masked)).body.retention).toMatchObject({ reportDays: 90, eventYears: 6 });
  });

  it('names the member that is wrong, and the least', async () => {
    const refused = await request(server, server.admin, 'POST', path, { retention: { reportDays: 0, eventYears: 4 } });
    expect(refused.status).toBe(400);
    expect(violatedFields(refused)).toEqual(['retention.reportDays', 'retention.eventYears']);
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
});
