/**
 * Evidence that keeps its own words: a closed review is reported, everybody in it gets another name, address and employee id, an address is given to
 * somebody else, accounts are made one, and the review is reported again. Every format says the same below its own head.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AccessReviewReportColumnSchema } from '../../src/gen/c1/api/accessreview/v1/accessreview_pb.js';
import { type Loose, request } from '../support/api.ts';
import { linesOf, takeApart } from '../support/bundle.ts';
import { readPdf } from '../support/read-pdf.ts';
import { readXlsx } from '../support/read-xlsx.ts';
import { useTestServer, type TestPerson, type TestServer } from '../support/server.ts';
import { until } from '../support/until.ts';
import { adminOf, sendFile } from '../support/world.ts';

const staff = ['boss', 'second', 'deputy', 'owner', 'keeper', 'signer', 'blind'] as const;
const numbers = [0, 1, 2, 3];
const named = (name: string): string => `${name[0]?.toUpperCase()}${name.slice(1)}`;
const listPeople = (boss: string): string =>
  [
    'email,display_name,employee_id,manager_email',
    ...staff.map((name, at) => `${name}@corp.test,${name === 'boss' ? boss : `${named(name)} Before`},10${at},`),
    ...numbers.map((n) => `p${n}@corp.test,Person ${n} Before,20${n},boss@corp.test`),
  ].join('\n');
const grants = ['account,email,resource_type,resource,entitlement', ...numbers.map((n) => `a${n},p${n}@corp.test,role,Ledger,read`)].join(
  '\n',
);
const formats = ['CSV', 'JSON', 'XLSX', 'PDF'] as const;
const allColumns = AccessReviewReportColumnSchema.values.map(({ name }) => name).filter((name) => !name.endsWith('UNSPECIFIED'));
/** Facts of a report's own head: when it was asked for, and how far the log was then. */
const ownHead = /^(?:Report asked for|Checkpoint of the log|Log of events)/;

/** Says who is named in a reply: people by what they are called, and what is beside them no more. */
function namesIn(value: unknown): unknown {
  const whole = JSON.parse(JSON.stringify(value), (_, one: Loose) =>
    one !== null && typeof one === 'object' && 'directoryStatus' in one
      ? { id: one.id, displayName: one.displayName, email: one.email, employeeIds: one.employeeIds }
      : one,
  ) as Record<string, unknown>;
  return Object.fromEntries(Object.entries(whole).filter(([name, one]) => typeof one === 'object' || /DisplayName$/.test(name)));
}

type Files = Readonly<Record<string, unknown>>;

describe('a report of a closed review', () => {
  let server: TestServer;
  let admin: ReturnType<typeof adminOf>;
  let reviewId: string;
  const persons: Record<string, TestPerson> = {};
  let before: Files;
  let after: Files;
  let merged: Files;
  let splitOff: Files;

  const as = async (person: TestPerson | undefined, method: string, path: string, body?: unknown): Promise<Loose> => {
    const answer = await request(server, person ?? server.admin, method, path, body);
    expect([path, answer.status, answer.status === 200 || answer.body]).toEqual([path, 200, true]);
    return answer.body;
  };
  const becomes = (state: string): Promise<void> =>
    until(async () => {
      const { accessReview } = (await admin('GET', `/api/v1/access_review/${reviewId}`)).accessReview;
      expect(accessReview.state).toBe(`ACCESS_REVIEW_STATE_${state}`);
    });
  const download = async (url: string): Promise<Buffer> => {
    const { pathname, search } = new URL(url);
    return Buffer.from(await (await server.fetch(`${pathname}${search}`)).arrayBuffer());
  };
  /** Asks for a file and returns it once it is made. */
  async function make(path: string, body: object): Promise<Buffer> {
    const known = (await admin('GET', path)).list.map(({ id }: Loose) => id);
    await admin('POST', path, body);
    return until(async () => {
      const [made] = (await admin('GET', path)).list.filter(({ id }: Loose) => !known.includes(id));
      expect(made).toMatchObject({ state: expect.stringMatching(/_(?:OK|DONE)$/) });
      return download(made.downloadUrl);
    });
  }

  /** All files of the review, each without its own head. */
  async function reportAll(): Promise<Files> {
    const files: Record<string, unknown> = {};
    const path = `/api/v1/access_review/${reviewId}`;
    for (const format of formats) {
      const asked = { format: `ACCESS_REVIEW_REPORT_FORMAT_${format}`, reportColumnConfig: { columns: allColumns } };
      const file = await make(`${path}/report`, asked);
      if (format === 'XLSX') {
        for (const sheet of (await readXlsx(file)).sheets) {
          files[`Excel ${sheet}`] = (await readXlsx(file, sheet)).rows.filter(([fact = '']) => !ownHead.test(fact));
        }
      } else {
        files[format] = format === 'PDF' ? textOf(file) : file.toString();
      }
    }
    const entries = takeApart(await make(`${path}/evidence`, {}));
    for (const { name, content } of entries) {
      if (name === 'summary.pdf') {
        files[name] = textOf(content);
      } else if (!/^(?:README\.html|manifest\.json|hashes\.jsonl|seal\/.*|log\/.*)$/.test(name)) {
        files[name] = content.toString();
      }
    }
    const { list } = await admin('POST', '/api/v1/systemlog/events', { accessReviewId: reviewId, pageSize: 100 });
    files['events of the log'] = list.filter(({ unmapped }: Loose) => !/^(?:report\.|review\.evidence)/.test(unmapped.kind));
    const tasks = (await admin('POST', '/api/v1/search/tasks', { accessReviewIds: [reviewId], pageSize: 100 })).list;
    for (const { task } of tasks) {
      files[`audits of ${task.id}`] = (await admin('POST', '/api/v1/task/audits', { taskId: task.id, pageSize: 100 })).list.map(namesIn);
    }
    files['comments'] = (await admin('GET', `${path}/comments`)).list;
    files['removals'] = (await admin('GET', `/api/v1/revocations?access_review_id=${reviewId}`)).list.map(namesIn);
    files['log/events.jsonl'] = linesOf<{ leaf: { kind: string } }>(entries, 'log/events.jsonl').filter(
      ({ leaf }) => !/^(?:report\.|review\.evidence)/.test(leaf.kind),
    );
    return files;
  }

  /** The words of a PDF file, without what its head and its foot say of itself. */
  function textOf(file: Buffer): string {
    return readPdf(file)
      .flat()
      .join(' ')
      .replace(/(?:report|evidence) [0-9A-Za-z]{27}|\d+ of \d+/g, '')
      .replace(/Report asked for \(UTC\) \S+ \S+/g, '')
      .replace(/Log of events .*? Sources /, '');
  }

  beforeAll(async () => {
    server = await useTestServer();
    admin = adminOf(server);
    await sendFile(server, server.admin, '/api/v1/imports/people', listPeople('Boss Maiden'));
    const { appId } = (await sendFile(server, server.admin, '/api/v1/imports/grants?app=Ledger', grants)).body.import;
    for (const name of staff) {
      const { id } = (await admin('POST', '/api/v1/search/users', { query: `${name}@corp.test` })).list[0].user;
      // What the manager does, they do through what the administrator issued: the issuer is named, too.
      persons[name] = name === 'boss' ? await server.issueClient(id) : await server.ownClient(id);
    }
    const { boss, second, deputy, owner, keeper, signer, blind } = persons;
    await admin('PUT', `/api/v1/apps/${appId}/owners`, { userIds: [keeper?.id] });
    await admin('POST', `/api/v1/users/${second?.id}/set-delegation-by-admin`, { delegatedUserId: deputy?.id });
    const draft = { displayName: 'Quarterly', ownerIds: [owner?.id] };
    reviewId = (await admin('POST', '/api/v1/access_review', draft)).accessReview.accessReview.id;
    const path = `/api/v1/access_review/${reviewId}`;
    await admin('POST', path, { accessReview: { singleApp: { appId } } });
    await admin('PUT', `${path}/acknowledgement`, { userIds: [signer?.id] });
    await admin('POST', `${path}/action/prepare`, {});
    await becomes('REVIEW');
    await admin('POST', `${path}/action/start`, {});
    await becomes('OPEN');
    const { rows } = await as(boss, 'POST', `${path}/queue`, {});
    const taskOf = Object.fromEntries(
      rows.filter((row: Loose) => row.resource === 'Ledger').map((row: Loose) => [row.account, row.taskId]),
    );
    const task = (account: string, action: string): string => `/api/v1/tasks/${taskOf[account]}/action/${action}`;
    await as(boss, 'POST', task('a0', 'reassign'), { newStepUserIds: [second?.id], comment: 'Yours.' });
    await sendFile(server, server.admin, '/api/v1/imports/people', listPeople('Boss Before'));
    await as(deputy, 'POST', task('a0', 'approve'), { comment: 'In their place.' });
    await as(boss, 'POST', task('a1', 'comment'), { comment: 'Asked around.' });
    await as(boss, 'POST', task('a1', 'deny'), { comment: 'Left.' });
    await as(boss, 'POST', task('a2', 'approve'), { comment: 'Needs it.' });
    await as(signer, 'POST', `${path}/action/acknowledge`, { comment: 'Seen.' });
    await admin('POST', `${path}/action/close`, { decision: 'CLOSE_DECISION_SKIP' });
    await becomes('CLOSED');
    const removal = await until(async () => {
      const [found] = (await admin('GET', `/api/v1/revocations?access_review_id=${reviewId}`)).list;
      expect(found.state).toBe('REVOCATION_STATE_IN_PROGRESS');
      return found;
    });
    await as(keeper, 'POST', `/api/v1/revocations/${removal.id}/action/claim`, { comment: 'Ticket 7' });
    await admin('POST', `${path}/second_review`, { number: 10, reviewerIds: [blind?.id] });
    await as(blind, 'POST', `${path}/second_review/answers`, {
      answers: ['a0', 'a1', 'a2'].map((account) => ({ taskId: taskOf[account], decision: 'REVIEW_DECISION_DENY', comment: 'No.' })),
    });
    before = await reportAll();
    await renameAll();
    await mergeAccounts();
    after = await reportAll();
    await mergeAll();
    merged = await reportAll();
    await splitAgain();
    splitOff = await reportAll();
  });
  afterAll(() => server.stop());

  /** Marries everybody; another joins with the address that the manager had, who then leaves. */
  async function renameAll(): Promise<void> {
    await server.test.admin(
      `UPDATE users SET display_name = replace(display_name, 'Before', '') || ' After', email = 'now.' || email, email_key = 'now.' || email_key,
         employee_id = '9' || employee_id, department = 'Moved', job_title = 'Moved', employment_type = 'Moved',
         updated_at = date_trunc('milliseconds', clock_timestamp())
       WHERE tenant_id = $1`,
      [server.id],
    );
    await sendFile(server, server.admin, '/api/v1/imports/people', 'email,display_name,employee_id\nboss@corp.test,Newcomer,777');
    await server.test.admin(
      `UPDATE users SET status = 'DELETED', deleted_at = now(), updated_at = now() WHERE tenant_id = $1 AND id = $2`,
      [server.id, persons['boss']?.id],
    );
  }

  /** Stores two pairs of its accounts under two spellings of one name each, as a release before did, and has them made one. */
  async function mergeAccounts(): Promise<void> {
    await server.test.admin(
      `UPDATE accounts SET external_id = n.name, display_name = n.name, twin = n.twin
       FROM (VALUES ('a0', 'T\u00f6m', 0), ('a1', 'To\u0308m', 1), ('a2', 'J\u00f6rg', 1), ('a3', 'Jo\u0308rg', 0)) AS n (was, name, twin)
       WHERE tenant_id = $1 AND external_id = n.was`,
      [server.id],
    );
    await server.test.admin(
      `INSERT INTO jobs (id, tenant_id, kind, subject_id, state, run_at, created_at, updated_at)
       VALUES (md5(random()::text), $1, 'names.merge', $1, 'CALLED', now(), now(), now())`,
      [server.id],
    );
    await until(async () => {
      const [row] = await server.test.admin(`SELECT count(*)::int AS count FROM events WHERE tenant_id = $1 AND kind = 'account.merged'`, [
        server.id,
      ]);
      expect(row).toEqual({ count: 2 });
    });
  }

  /** Merges who decided, owned, acknowledged and was reviewed into somebody else of the review. */
  async function mergeAll(): Promise<void> {
    const people = (await admin('POST', '/api/v1/search/users', { pageSize: 100 })).list.map(({ user }: Loose) => user);
    const subject = (n: number): string => people.find(({ email }: Loose) => email === `now.p${n}@corp.test`).id;
    for (const [from, into] of [
      [persons['deputy']?.id, persons['keeper']?.id],
      [persons['owner']?.id, persons['second']?.id],
      [persons['signer']?.id, persons['blind']?.id],
      [subject(1), subject(3)],
      [subject(3), persons['keeper']?.id],
    ]) {
      await admin('POST', `/api/v1/users/${from}/action/merge`, { intoUserId: into });
    }
  }

  /** Makes a new person of the record of whoever was merged into the owner of the app, who gets another name. */
  async function splitAgain(): Promise<void> {
    const id = persons['keeper']?.id;
    const { list } = await admin('GET', `/api/v1/identity/records?user_id=${id}`);
    const other = list.find(({ anchor }: Loose) => anchor === `10${staff.indexOf('deputy')}`);
    const { userId } = await admin('POST', `/api/v1/users/${id}/action/split`, { recordIds: [other.id] });
    await server.test.admin(
      `UPDATE users SET display_name = 'Split After', updated_at = date_trunc('milliseconds', clock_timestamp()) WHERE tenant_id = $1 AND id = ANY ($2)`,
      [server.id, [id, userId]],
    );
  }

  it('names everybody as they were, in every format', () => {
    expect(Object.keys(before)).toEqual(
      expect.arrayContaining(['CSV', 'JSON', 'PDF', 'Excel Decisions 1', 'Excel Reviewers', 'reviewers.jsonl']),
    );
    const said = JSON.stringify(before);
    for (const name of staff.filter((one) => one !== 'deputy')) {
      expect(said).toContain(`${named(name)} Before`);
    }
    expect(before['CSV']).toContain('in place of Second Before <second@corp.test> [101]');
    expect(before['CSV']).toContain('Boss Before <boss@corp.test> [100] (credential issued by');
    expect(before['CSV']).toMatch(/^201,/m);
  });

  it('names each act by the words of its own moment', () => {
    expect(before['CSV']).toMatch(
      / by Boss Maiden <boss@corp\.test> \[100\] \(credential issued by [^)]+\) to Second Before <second@corp\.test> \[101\]: Yours\./,
    );
    const lines = String(before['reviewers.jsonl'])
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Loose);
    const { person, words } = lines.find(({ id }) => id === persons['boss']?.id);
    expect(person).toEqual({ displayName: 'Boss Before', email: 'boss@corp.test', employeeId: '100', type: 'HUMAN' });
    expect(words).toMatchObject([
      { displayName: 'Boss Maiden', since: null },
      { displayName: 'Boss Before', since: expect.stringMatching(/Z$/) },
    ]);
    expect(lines.map(({ id }) => id)).toEqual(expect.arrayContaining(Object.values(persons).map(({ id }) => id)));
  });

  it.each([...formats.filter((format) => format !== 'XLSX'), 'summary.pdf', 'reviewers.jsonl', 'log/events.jsonl', 'second-review.jsonl'])(
    'has the same bytes below its head: %s',
    (name) => {
      expect(after[name]).toEqual(before[name]);
    },
  );

  it('is the same once people of it were merged', () => {
    const differing = Object.keys(before).filter((name) => JSON.stringify(merged[name]) !== JSON.stringify(before[name]));
    expect(differing).toEqual([]);
    expect(Object.keys(merged)).toEqual(Object.keys(before));
  });

  it('is the same once somebody was split off again', () => {
    const differing = Object.keys(before).filter((name) => JSON.stringify(splitOff[name]) !== JSON.stringify(before[name]));
    expect(differing).toEqual([]);
  });

  it('has the same sheets, and the same files in its bundle, as before', () => {
    expect(Object.keys(after)).toEqual(Object.keys(before));
    const differing = Object.keys(before).filter((name) => JSON.stringify(after[name]) !== JSON.stringify(before[name]));
    expect(differing).toEqual([]);
  });

  it('names whoever acted in the system log, too', () => {
    const events = before['events of the log'] as Loose[];
    const approved = events.find(({ unmapped }) => unmapped.kind === 'task.approved' && unmapped.actor_id === persons['deputy']?.id);
    expect(approved.actor.user).toMatchObject({
      uid: persons['deputy']?.id,
      name: 'Deputy Before',
      email_addr: 'deputy@corp.test',
      ldap_person: { employee_uid: '102' },
    });
  });

  it('says what somebody was called then and is called now, and which addresses they had', async () => {
    const [boss, second] = [persons['boss']?.id, persons['second']?.id];
    const at = (before['events of the log'] as Loose[]).map(({ time }) => new Date(time).toISOString()).at(-1);
    const { list } = await admin('POST', '/api/v1/search/person_words', {
      refs: [{ userId: boss, at }, { userId: second }, { userId: 'nobody', at }],
    });
    expect(list).toMatchObject([
      {
        userId: boss,
        displayName: 'Boss Before',
        email: 'boss@corp.test',
        employeeId: '100',
        currentDisplayName: expect.stringMatching(/ After$/),
      },
      {
        userId: second,
        displayName: expect.stringMatching(/ After$/),
        email: 'now.second@corp.test',
        currentEmail: 'now.second@corp.test',
      },
    ]);
    const former = await admin('GET', `/api/v1/users/${boss}/former_addresses`);
    expect(former.list).toMatchObject([{ address: 'boss@corp.test', until: expect.any(String) }]);
  });

  it('tells employee ids of those who decided where it has that column alone', async () => {
    const file = await make(`/api/v1/access_review/${reviewId}/report`, { format: 'ACCESS_REVIEW_REPORT_FORMAT_CSV' });
    expect(file.toString()).toContain('Second Before <second@corp.test>');
    expect(file.toString()).not.toMatch(/\[1\d\d\]/);
    expect(file.toString()).toContain(`Second Before <second@corp.test> (id ${persons['second']?.id})`);
  });

  it('names nobody by what they are called since', () => {
    // A heading of the report has the word, too.
    expect(JSON.stringify(after).replaceAll(/After the snapshot/g, '')).not.toMatch(/ After\b|now\.\w+@corp\.test|Newcomer|Moved/);
  });
});
