/** The sample company over HTTP: marked when it is loaded, removed as one, refused while anything else depends on it, and loaded again. */
import { PassThrough } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadSampleCompany } from '../../src/cli/local/demo-load.ts';
import { request, violatedFields } from '../support/api.ts';
import { type SampleCompany, startSampleCompany } from '../support/sample-company.ts';
import type { TestPerson } from '../support/server.ts';
import { sendFile } from '../support/world.ts';

const path = '/api/v1/samples';
let company: SampleCompany;
let reader: TestPerson;

const call = (verb: string, at: string, body?: object) => request(company, company.admin, verb, at, body);
const remove = () => call('POST', `${path}/remove`, {});
const obstacles = async (): Promise<string[]> => (await call('GET', path)).body.sampleCompany.obstacles ?? [];
const sampleId = async (email: string): Promise<string> => {
  const { body } = await call('POST', '/api/v1/search/users', { query: email });
  return body.list[0].user.id;
};
const people = async (query: string): Promise<number> =>
  ((await call('POST', '/api/v1/search/users', { query, pageSize: 100 })).body.list ?? []).length;
const apps = async (): Promise<string[]> =>
  ((await call('GET', '/api/v1/apps?page_size=100')).body.list ?? []).map((app: { displayName: string }) => app.displayName);
const load = () => {
  const nowhere = new PassThrough().resume();
  const io = { env: {}, stdin: new PassThrough(), stdout: nowhere, stderr: nowhere, signal: new AbortController().signal };
  return loadSampleCompany(io, company.admin.client, () => undefined);
};

const sources = async (): Promise<string[]> =>
  ((await call('GET', '/api/v1/sources?page_size=100')).body.list ?? []).map(
    ({ appId, displayName }: { appId: string; displayName: string }) => `${appId === '' ? 'people' : 'app'}: ${displayName}`,
  );

beforeAll(async () => {
  company = await startSampleCompany();
  reader = await company.makePerson('reader@example.org', ['READ_ONLY_ADMINISTRATOR']);
});
afterAll(() => company.stop());

describe('the samples', () => {
  it('are marked when they are loaded', async () => {
    expect((await call('GET', path)).body.sampleCompany).toEqual({
      people: 60,
      apps: 5,
      accessReviews: 1,
      conflictMonitors: 1,
      obstacles: [],
    });
  });

  it('are for Super Administrators alone', async () => {
    expect((await request(company, undefined, 'GET', path)).status).toBe(401);
    expect((await request(company, reader, 'POST', `${path}/remove`, {})).status).toBe(403);
    expect((await request(company, reader, 'POST', path, {})).status).toBe(403);
  });

  it('cannot be real people, nor anything that is not there', async () => {
    const answer = await call('POST', path, { userIds: [reader.id], appIds: ['nowhere'] });
    expect(answer.status).toBe(400);
    expect(violatedFields(answer)).toEqual(['userIds[0]', 'appIds[0]']);
    const many = await call('POST', path, { userIds: Array.from({ length: 1_001 }, (_, index) => `u${index}`) });
    expect(violatedFields(many)).toEqual(['userIds']);
    expect((await call('GET', path)).body.sampleCompany.people).toBe(60);
  });

  it('are not another tenant’s', async () => {
    const other = await company.makeTenant('other.test');
    expect((await request(other, other.admin, 'GET', path)).body.sampleCompany).toMatchObject({ people: 0, apps: 0 });
    expect((await request(other, other.admin, 'POST', `${path}/remove`, {})).status).toBe(400);
    expect(await people('.sample@')).toBe(60);
  });

  it('stay while something of one’s own depends on them, which is named with the way out', async () => {
    const ada = await sampleId('ada.sample@example.com');
    const { body } = await call('POST', '/api/v1/apps', { displayName: 'Our wiki', owners: [ada] });
    await company.test.admin('UPDATE users SET manager_id = $2 WHERE tenant_id = $1 AND id = $3', [company.id, ada, reader.id]);
    await sendFile(
      company,
      company.admin,
      '/api/v1/imports/grants?app=Sample%20Orders&source=ours',
      [
        'account,email,account_type,account_status,resource_type,resource,entitlement',
        'kim,kim@example.org,USER,ENABLED,area,Orders,Read',
      ].join('\n'),
    );
    await company.test.admin(`UPDATE reviews SET state = 'STARTING' WHERE tenant_id = $1 AND id = $2`, [company.id, company.review.id]);
    const refused = await remove();
    expect(refused.status).toBe(400);
    expect(await obstacles()).toEqual([
      expect.stringMatching(/“Sample quarterly access review” is just being prepared/),
      expect.stringMatching(/filled “Sample Orders”.*delete it by itself/),
      expect.stringMatching(/in “Our wiki”/),
      expect.stringMatching(/The manager of “reader” is a sample/),
    ]);
    expect(refused.body.message).toContain((await obstacles())[3]);
    expect(await people('.sample@')).toBe(60);
    expect(await apps()).toContain('Sample Keys');
    await company.test.admin(`UPDATE reviews SET state = 'OPEN' WHERE tenant_id = $1 AND id = $2`, [company.id, company.review.id]);
    await company.test.admin('UPDATE users SET manager_id = NULL WHERE tenant_id = $1 AND id = $2', [company.id, reader.id]);
    await call('DELETE', `/api/v1/apps/${body.app.id}`);
    const orders = (await call('POST', '/api/v1/search/apps', { query: 'Sample Orders' })).body.list[0];
    await call('DELETE', `/api/v1/apps/${orders.id}`);
    expect(await obstacles()).toEqual([]);
  });

  it('go together, and stay readable where the record names them', async () => {
    const [task] = await company
      .system()
      .db.rows<{ id: string }>(`SELECT id FROM tasks WHERE tenant_id = $1 AND review_id = $2 AND state = 'OPEN' ORDER BY id LIMIT 1`, [
        company.id,
        company.review.id,
      ]);
    expect((await call('POST', `/api/v1/tasks/${task?.id}/action/deny`, { comment: 'not needed' })).status).toBe(200);
    const ada = await sampleId('ada.sample@example.com');
    expect(await sources()).toContain('people: samples');
    expect(await remove()).toEqual({ status: 200, body: { people: 60, apps: 4, accessReviews: 1, conflictMonitors: 1 } });
    expect(await people('.sample@')).toBe(0);
    expect(await people('reader@example.org')).toBe(1);
    expect(await apps()).toEqual([]);
    expect(await sources()).toEqual([]);
    expect((await call('GET', `/api/v1/access_review/${company.review.id}`)).status).toBe(404);
    expect((await call('GET', `/api/v1/users/${ada}`)).body.userView.user.displayName).toBe('Ada Sample');
    const events = await company
      .system()
      .db.rows<{ data: object }>(`SELECT data FROM events WHERE tenant_id = $1 AND kind = 'samples.removed'`, [company.id]);
    expect(events.map(({ data }) => data)).toEqual([
      expect.objectContaining({ people: 60, apps: 4, userIds: expect.arrayContaining([ada]) }),
    ]);
    // What was denied of a sample is not left to be removed.
    await expect
      .poll(async () => (await call('GET', '/api/v1/revocation_counts')).body)
      .toMatchObject({ open: '0', list: [{ state: 'REVOCATION_STATE_CANCELLED', total: '1' }] });
    expect((await remove()).body.message).toContain('nothing to remove');
    expect((await call('GET', path)).body.sampleCompany).toMatchObject({ people: 0, apps: 0, accessReviews: 0, conflictMonitors: 0 });
  });

  it('come back when they are loaded again, as the same people; a closed review stays when they go', async () => {
    const again = await load();
    expect(again.review.id).not.toBe(company.review.id);
    expect((await call('GET', path)).body.sampleCompany).toMatchObject({ people: 60, apps: 5, accessReviews: 1, obstacles: [] });
    await call('POST', `/api/v1/access_review/${again.review.id}/action/close`, {});
    await expect
      .poll(async () => (await call('GET', `/api/v1/access_review/${again.review.id}`)).body.accessReview.accessReview.state, {
        timeout: 60_000,
      })
      .toBe('ACCESS_REVIEW_STATE_CLOSED');
    expect((await remove()).body).toMatchObject({ people: 60, apps: 5, accessReviews: 0, conflictMonitors: 1 });
    expect((await call('GET', `/api/v1/access_review/${again.review.id}`)).status).toBe(200);
  });

  it('leave a source that reported somebody else, too', async () => {
    await load();
    const rows = ['email,display_name', 'ada.sample@example.com,Ada Sample', 'zoe@example.org,Zoe'].join('\n');
    await sendFile(company, company.admin, '/api/v1/imports/people?source=ours', rows);
    await sendFile(
      company,
      company.admin,
      '/api/v1/imports/people?source=theirs',
      rows.replace('zoe@example.org,Zoe', 'ben.sample@example.com,Ben'),
    );
    await sendFile(company, company.admin, '/api/v1/imports/people?source=ours', rows);
    expect((await remove()).status).toBe(200);
    expect(await sources()).toEqual(['people: ours']);
    expect(await people('zoe@example.org')).toBe(1);
  });
});
