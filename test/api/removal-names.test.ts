/**
 * Example 7 over HTTP from end to end: a review denies access, its removal is asked for, and files report it in another form, under a name that looks the
 * same, and not at all. Of entitlements, accounts, resources and resource types.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Loose, request } from '../support/api.ts';
import { checkInventory } from '../support/check-inventory.ts';
import { environmentFor, runInProcess } from '../support/command-line.ts';
import { type TestPerson, type TestServer, useTestServer } from '../support/server.ts';
import { until } from '../support/until.ts';
import { sendFile } from '../support/world.ts';

let server: TestServer;
let boss: TestPerson;
const ok = async (method: string, path: string, body?: unknown, person: TestPerson = server.admin): Promise<Loose> => {
  const answer = await request(server, person, method, path, body);
  expect([path, answer.status, answer.status === 200 ? undefined : answer.body]).toEqual([path, 200, undefined]);
  return answer.body;
};

/** Access: account, resource type, resource, entitlement. */
type Access = readonly [string, string, string, string];
const header = 'account,email,resource_type,resource,entitlement';
const crowd = ['zara,,Tor,Tor,Tor', 'zeno,,Tor,Tor,Tor', 'zita,,Tor,Tor,Tor', 'zola,,Tor,Tor,Tor'];
const row = ([account, type, resource, entitlement]: Access): string => `${account},tom@r7.test,${type},${resource},${entitlement}`;

async function importGrants(app: string, rows: readonly Access[], source = ''): Promise<Loose> {
  const path = `/api/v1/imports/grants?app=${app}&allow_removals=true${source === '' ? '' : `&source=${source}`}`;
  const { status, body } = await sendFile(server, server.admin, path, [header, ...crowd, ...rows.map(row), ''].join('\n'));
  expect([status, body.message]).toEqual([200, undefined]);
  return body.import;
}

/** Imports, and waits until removals were held against it. */
async function report(app: string, rows: readonly Access[], source = ''): Promise<Loose> {
  const done = await importGrants(app, rows, source);
  await until(async () => {
    const [mark] = await server.test.admin('SELECT sync_id AS "syncId" FROM revocation_marks WHERE tenant_id = $1 AND app_id = $2', [
      server.id,
      done.appId,
    ]);
    expect(mark?.syncId).toBe(done.id);
  });
  return done;
}

/** Reviews an app, denies what Tom holds there but access to the app, and returns the removals by the names of the accounts. */
async function deny(app: string, access: readonly Access[]): Promise<Map<string, string>> {
  const { appId } = await importGrants(app, access);
  const { id } = (await ok('POST', '/api/v1/access_review', { displayName: app, ownerIds: [server.admin.id] })).accessReview.accessReview;
  const path = `/api/v1/access_review/${id}`;
  const becomes = (state: string): Promise<void> =>
    until(async () => expect((await ok('GET', path)).accessReview.accessReview.state).toBe(`ACCESS_REVIEW_STATE_${state}`));
  await ok('POST', path, { accessReview: { singleApp: { appId } } });
  await ok('POST', `${path}/action/prepare`, {});
  await becomes('REVIEW');
  await ok('POST', `${path}/action/start`, {});
  await becomes('OPEN');
  const { rows } = await ok('POST', `${path}/queue`, {}, boss);
  for (const one of rows) {
    const isDenied = access.some(([account, , , entitlement]) => one.account === account && JSON.stringify(one).includes(entitlement));
    await ok('POST', `/api/v1/tasks/${one.taskId}/action/${isDenied ? 'deny' : 'approve'}`, { comment: 'Seen.' }, boss);
  }
  await ok('POST', `${path}/action/close`, { decision: 'CLOSE_DECISION_SKIP' });
  await becomes('CLOSED');
  return until(async () => {
    const { list } = await ok('GET', `/api/v1/revocations?access_review_id=${id}&page_size=100`);
    expect(list.map(({ state }: Loose) => state)).toEqual(access.map(() => 'REVOCATION_STATE_IN_PROGRESS'));
    return new Map(list.map((one: Loose) => [one.account, one.id]));
  });
}

const removal = async (id: string): Promise<Loose> => (await ok('GET', `/api/v1/revocations/${id}`)).revocation;

beforeAll(async () => {
  server = await useTestServer();
  const people = 'email,display_name,manager_email\nboss@r7.test,Boss,\ntom@r7.test,Tom,boss@r7.test\n';
  await sendFile(server, server.admin, '/api/v1/imports/people', people);
  const { id } = (await ok('POST', '/api/v1/search/users', { email: 'boss@r7.test' })).list[0].user;
  boss = await server.ownClient(id);
});
afterAll(() => checkInventory(server.test.admin, server.id));

const parts = ['account', 'resource type', 'resource', 'entitlement'] as const;
const forms: readonly [string, (name: string) => string, (name: string) => string][] = [
  ['in capitals', (name) => name.normalize('NFD'), (name) => name.toUpperCase()],
  ['with what nobody sees within', (name) => `\ufeff${name}\u00a0`, (name) => `${name.slice(0, 2)}\u200b${name.slice(2)}`],
  [
    'in letters of full width',
    (name) => ` ${name.normalize('NFD')}\u2060`,
    (name) => name.replace(/[a-z]/, (letter) => String.fromCodePoint(letter.charCodeAt(0) + 0xfee0)),
  ],
];
/** Each part of an access, in each form: the access, the same in another form, and one that looks the same. */
const cases = parts.flatMap((part, at) =>
  forms.map(([how, form, looks]) => {
    const no = `${at}${forms.findIndex(([one]) => one === how)}`;
    const access: Access = [`t\u00f6m ${no}`, `R\u00f4le ${no}`, `B\u00fcro ${no}`, `\u00d6ffnen ${no}`];
    const change = (to: (name: string) => string): Access =>
      access.map((name, place) => (place === at ? to(name) : name)) as unknown as Access;
    return { part, how, access, form: change(form), looks: change(looks) };
  }),
);

describe('a removal', () => {
  const removals = new Map<string, Loose[]>();
  let again: Loose;

  beforeAll(async () => {
    const ids = await deny(
      'Names',
      cases.map(({ access }) => access),
    );
    const tell = async (rows: readonly Access[]): Promise<Loose> => {
      const done = await report('Names', rows);
      for (const [account, id] of ids) {
        removals.set(account, [...(removals.get(account) ?? []), await removal(id)]);
      }
      return done;
    };
    again = await tell(cases.map(({ form }) => form));
    await tell(cases.map(({ looks }) => looks));
    await tell([]);
  });

  it('is of what a file in another form adds and ends nothing of', () => {
    expect([again.added, again.removed]).toEqual(['0', '0']);
  });

  it.each(cases.map((one) => [one.part, one.how, one.access[0]] as const))(
    'is not proven by another form of the %s, nor while one is there %s, and is by neither',
    (_part, _how, account) => {
      const states = removals.get(account)?.map(({ state, unknownReason }) => [state, unknownReason]);
      expect(states).toEqual([
        ['REVOCATION_STATE_IN_PROGRESS', expect.not.stringContaining('LOOKS')],
        ['REVOCATION_STATE_IN_PROGRESS', 'REVOCATION_UNKNOWN_LOOKS_THE_SAME'],
        ['REVOCATION_STATE_VERIFIED', expect.any(String)],
      ]);
    },
  );

  it('is not proven while another source of the app reports what looks the same', async () => {
    const access: Access = ['t\u00f6m', 'R\u00f4le', 'B\u00fcro', '\u00d6ffnen'];
    const [id = ''] = (await deny('Sources', [access])).values();
    await report('Sources', [['T\u00d6M', 'R\u00f4le', 'B\u00fcro', '\u00d6FFNEN']], 'other');
    await report('Sources', []);
    expect((await removal(id)).state).toBe('REVOCATION_STATE_IN_PROGRESS');
    const shown = await runInProcess(['revocation', 'show', id], { env: environmentFor(server.url, server.admin.credential) });
    expect(shown.stdout).toMatch(/^also held +under a name that looks the same: account "T\u00d6M", ".*\u00d6FFNEN"$/m);
    await report('Sources', [], 'other');
    await report('Sources', []);
    expect((await removal(id)).state).toBe('REVOCATION_STATE_VERIFIED');
  });
});
