/**
 * `node bench/explain.ts [--rows N] [--output FILE]`: runs every list, search, import and job of the service at a million grants and writes
 * down the plans of their statements (docs/performance/explain.md). How a plan is read and cut is in plans.ts.
 */
import { createReadStream } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { parseArgs } from 'node:util';
import type { Client } from '../src/client/index.ts';
import { ImportService } from '../src/gen/countersign/v1/imports_pb.js';
import { writeChanged } from './data/inventory.ts';
import { openReviewer } from './queue.ts';
import { collectPlans, type Plan, startExplaining } from './plans.ts';
import { varyCompany } from './data/search-company.ts';
import { listDeepSearches, listSearches, type SearchRequest } from './search-requests.ts';
import { openWorld, type World } from './data/world.ts';

interface Section {
  readonly title: string;
  readonly plans: readonly Plan[];
}

/** Sends a request, as the administrator unless somebody else is given, and answers its JSON. */
async function send(world: World, path: string, body?: object, who: Client = world.server.admin): Promise<Record<string, unknown>> {
  const response = await fetch(`${world.server.url}/api/v1/${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { authorization: `Bearer ${await who.token()}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const answer = (await response.json()) as Record<string, unknown>;
  if (response.status !== 200) {
    throw new Error(`${path}: ${response.status} ${JSON.stringify(answer).slice(0, 300)}`);
  }
  return answer;
}

/** Ids of things in the middle of the tables. */
async function findExamples(
  world: World,
): Promise<Record<'app' | 'review' | 'entitlement' | 'account' | 'type' | 'resource' | 'user' | 'manager' | 'task', string>> {
  const superuser = await world.server.superuser();
  const { rows } = await superuser.query(
    `SELECT e.app_id AS app, e.id AS entitlement, e.resource_type_id AS type, e.resource_id AS resource, a.id AS account, a.user_id AS "user",
       u.manager_id AS manager, t.id AS task, t.review_id AS review
     FROM tasks t JOIN entitlements e ON e.id = t.entitlement_id JOIN accounts a ON a.id = t.account_id JOIN users u ON u.id = a.user_id
     WHERE u.manager_id IS NOT NULL ORDER BY t.id OFFSET 5000 LIMIT 1`,
  );
  await superuser.end();
  return rows[0];
}

/** Every list and search, each as its request. */
async function listOperations(world: World): Promise<[string, string, object?][]> {
  const { app, review, entitlement, account, type, resource, user, manager, task } = await findExamples(world);
  const at = `apps/${app}`;
  const all = 'page_size=100';
  const search = { accessReviewIds: [review], pageSize: 100 };
  return [
    ['reviews', `access_reviews?${all}`],
    ['a review', `access_review/${review}`],
    ['progress of a review', `access_review/${review}/progress`],
    ['owners of a review', `access_review/${review}/owners?${all}`],
    ['selections of a review', `access_review/${review}/selections?${all}`],
    ['submissions of a review', `access_review/${review}/submissions?${all}`],
    ['reports of a review', `access_review/${review}/report?${all}`],
    ['scope and entitlements of a review', `access_review/${review}/scope_and_entitlements`],
    ['tasks, searched: of a review', 'search/tasks', search],
    ['tasks, searched: everything an administrator sees', 'search/tasks', { pageSize: 100 }],
    ['tasks, searched: asked of one person', 'search/tasks', { assigneesInIds: [manager], taskStates: ['TASK_STATE_OPEN'], pageSize: 100 }],
    ['tasks, searched: about one person', 'search/tasks', { ...search, subjectIds: [user] }],
    ['tasks, searched: decided by one person', 'search/tasks', { previouslyActedOnIds: [manager], pageSize: 100 }],
    ['tasks, searched: of one entitlement', 'search/tasks', { ...search, appEntitlementIds: [entitlement] }],
    ['tasks, searched: by words', 'search/tasks', { ...search, query: 'acct-77777' }],
    ['tasks, searched: by words that nothing has', 'search/tasks', { ...search, query: 'no such words' }],
    ['tasks, searched: sorted by account', 'search/tasks', { ...search, sortBy: 'TASK_SEARCH_SORT_BY_ACCOUNT' }],
    ['a task', `tasks/${task}`],
    ['audits of a task', 'task/audits', { taskId: task }],
    ['apps', `apps?${all}`],
    ['apps, searched', 'search/apps', { query: 'comp', pageSize: 100 }],
    ['owners of an app', `${at}/owners?${all}`],
    ['ids of the owners of an app', `${at}/ownerids?${all}`],
    ['resource types', `${at}/resource_types?${all}`],
    ['resources', `${at}/resource_types/${type}/resources?${all}`],
    ['entitlements of an app', `${at}/entitlements?${all}`],
    ['entitlements of a resource', `${at}/entitlements/resource_types/${type}/resources/${resource}?${all}`],
    ['entitlements of an account', `${at}/entitlements/users/${account}?${all}`],
    ['entitlements, searched', 'search/entitlements', { query: 'admin', pageSize: 100 }],
    ['accounts that hold an entitlement', `${at}/entitlements/${entitlement}/users?${all}`],
    ['grants of an entitlement, ended ones too', `${at}/entitlements/${entitlement}/grants?${all}`],
    ['accounts of an app', `${at}/app_users?${all}`],
    ['accounts of a person', `${at}/users/${user}/app_users?${all}`],
    ['accounts, searched', 'search/app_users', { appIds: [app], query: 'acct-7777', pageSize: 100 }],
    ['people', `users?${all}`],
    ['people, searched', 'search/users', { query: 'person 777', pageSize: 100 }],
    ['policies', `policies?${all}`],
    ['policies, searched', 'search/policies', { pageSize: 100 }],
    ['imports', `imports?${all}`],
    ['credentials', `iam/personal_clients?${all}`],
    ['credentials, searched', 'search/iam/personal_clients', { pageSize: 100 }],
    ['roles', `iam/roles?${all}`],
    ['the log', 'systemlog/events', { pageSize: 100 }],
  ];
}

/** Lists reads of the console's pages by an administrator. */
async function listPages(world: World): Promise<[string, string, object?][]> {
  const { app, review, user } = await findExamples(world);
  const at = `access_review/${review}`;
  const all = 'page_size=100';
  return [
    ['reviews, searched', 'search/access_reviews', { query: 'company', pageSize: 100 }],
    ['reviews, searched: of one app', 'search/access_reviews', { appIds: [app], pageSize: 100 }],
    ['progress by reviewer', `${at}/progress/reviewers?${all}`],
    ['progress by app', `${at}/progress/apps?${all}`],
    ['progress by department', `${at}/progress/departments?${all}`],
    ['what reviewers did', `${at}/reviewer_figures?${all}`],
    ['notices of a review', `${at}/notices?${all}`],
    ['grants of an app, ended ones too', `apps/${app}/grants?include_ended=true&${all}`],
    ['grants of an app, by words that few have', `apps/${app}/grants?query=acct-77777&${all}`],
    ['grants of an app, by words that many have', `apps/${app}/grants?query=acct&${all}`],
    ['grants of an app, by a rare type of account', `apps/${app}/grants?account_type=APP_USER_TYPE_SERVICE_ACCOUNT&${all}`],
    ['grants of an app, as of a time', `apps/${app}/grants?as_of=2030-01-01T00:00:00Z&${all}`],
    ['uses and changes of entitlements', `apps/${app}/entitlement_activity?since=2020-01-01T00:00:00Z&${all}`],
    ['entitlements without a description', `identity/undescribed_entitlements?${all}`],
    ['facts of a person over time', `users/${user}/facts?${all}`],
    ['grants of a person, ended ones too', `users/${user}/grants?include_ended=true&${all}`],
    ['everything, searched: by many', 'search/all', { query: 'person' }],
    ['everything, searched: by few', 'search/all', { query: 'person 7777' }],
    ['removals', `revocations?${all}`],
  ];
}

/** Lists reads of the console's pages by a reviewer with 10,000 tasks. */
function listReviewerPages(review: string): [string, string, object?][] {
  const all = 'page_size=100';
  return [
    ['own reviews', `my/reviews?${all}`],
    ['queue, first page with its counts', `access_review/${review}/queue`, { limit: 1000 }],
    ['queue, by words', `access_review/${review}/queue`, { limit: 1000, query: 'acct-1' }],
    ['own drafts', `access_review/${review}/pending_decisions?${all}`],
    ['what came of own decisions', `my/outcomes?${all}`],
    ['own certifications until a date', `my/certified_until?${all}`],
    ['own removals', `my/removals?${all}`],
    ['own submissions', `my/submissions?${all}`],
    ['possible delegates', 'my/delegates', { query: 'person 7' }],
  ];
}

/** Lists and searches of the inventory: those that are timed, without the ones that join a text and a filter. */
async function listInventory(world: World): Promise<SearchRequest[]> {
  const examples = await varyCompany(world);
  const searches = [...listSearches(examples, Math.floor(world.size.people / 3)), ...listDeepSearches(examples)];
  return searches.filter(({ name }) => !name.includes(';'));
}

/** Sends a search of the inventory. */
async function ask(world: World, { name, path, body, token }: SearchRequest): Promise<void> {
  const headers = { authorization: `Bearer ${token ?? (await world.server.admin.token())}`, 'content-type': 'application/json' };
  const response = await fetch(
    world.server.url + path,
    body === undefined ? { headers } : { method: 'POST', headers, body: JSON.stringify(body) },
  );
  if (response.status !== 200) {
    throw new Error(`${name}: ${response.status} ${(await response.text()).slice(0, 300)}`);
  }
}

/** A line of the table of searches: their statements in milliseconds, the indexes they went through, what they read whole. */
function summarize(name: string, plans: readonly Plan[]): string {
  const total = plans.reduce((sum, { milliseconds }) => sum + milliseconds, 0);
  const indexes = plans.flatMap(({ nodes }) =>
    nodes.flatMap((node) => [...node.matchAll(/using (\w+)|Bitmap Index Scan on (\w+)/g)].map((found) => found[1] ?? found[2])),
  );
  const scans = plans.flatMap((plan) => plan.scans);
  return `| ${name} | ${total.toFixed(1)} ms | ${[...new Set(indexes)].join(', ')} | ${[...new Set(scans)].join(', ')} |`;
}

async function importAgain(world: World, name: string): Promise<void> {
  const stream = Readable.toWeb(createReadStream(join(world.server.folder, name))) as ReadableStream<Uint8Array>;
  const file = { content: stream, gzip: false };
  const { admin } = world.server;
  await admin.upload(ImportService.method.importGrants, { app: 'Company' }, file);
}

/** Waits until the job of a review's phase is done. */
async function untilState(world: World, state: string): Promise<void> {
  for (;;) {
    const reply = (await send(world, `access_review/${await world.reviewId()}`)) as {
      accessReview?: { accessReview?: { state?: string } };
    };
    if (reply.accessReview?.accessReview?.state === `ACCESS_REVIEW_STATE_${state}`) {
      return;
    }
    await new Promise((resolve) => setTimeout(resolve, 300));
  }
}

async function explainAll(world: World): Promise<{ sections: Section[]; searches: string[] }> {
  const sections: Section[] = [];
  const searches: string[] = [];
  const explain = async (title: string, work: () => Promise<unknown>): Promise<void> => {
    console.error(`explaining: ${title}`);
    sections.push({ title, plans: await collectPlans(world.server, work) });
  };
  await startExplaining(world.server);
  await explain('import of people and grants', () => world.imported());
  await explain('the same grants imported again', () => importAgain(world, 'grants.csv'));
  await writeChanged(join(world.server.folder, 'grants.csv'), join(world.server.folder, 'changed.csv'), world.size);
  await explain('a file in which 4,000 grants are new, gone or changed', () => importAgain(world, 'changed.csv'));
  const { list: syncs = [] } = (await send(world, 'imports?page_size=1')) as { list?: { import?: { id: string } }[] };
  await explain('the difference of two syncs', () => send(world, `imports/${syncs[0]?.import?.id}/diff?page_size=100`));
  await explain('a sync read back', () => send(world, `imports/${syncs[0]?.import?.id}/grants?page_size=100`));
  await explain('the grants as they were imported again', () => importAgain(world, 'grants.csv'));
  const review = await world.reviewId();
  await explain('preview', () => send(world, `access_review/${review}/preview`, {}));
  await explain('prepare', () => world.prepared());
  await explain('start', () => world.started());
  for (const [title, path, body] of await listOperations(world)) {
    await explain(title, () => send(world, path, body));
  }
  for (const [title, path, body] of await listPages(world)) {
    await explain(title, () => send(world, path, body));
  }
  const reviewer = await openReviewer(world, review);
  const { cursor } = await send(world, `access_review/${review}/changes`, undefined, reviewer);
  for (const [title, path, body] of listReviewerPages(review)) {
    await explain(`a reviewer: ${title}`, () => send(world, path, body, reviewer));
  }
  const { list = [] } = (await send(world, 'search/tasks', { accessReviewIds: [review], pageSize: 100 })) as {
    list?: { task?: { id: string } }[];
  };
  const ids = list.map((view) => view.task?.id ?? '');
  await explain('approve a task', () => send(world, `tasks/${ids[0]}/action/approve`, { comment: 'Still needed.' }));
  await explain('deny a task', () => send(world, `tasks/${ids[1]}/action/deny`, { comment: 'Left the team.' }));
  const decisions = ids.slice(2).map((taskId) => ({ taskId, decision: 'REVIEW_DECISION_CERTIFY' }));
  await explain('a submission of 98 decisions', () => send(world, `access_review/${review}/submissions`, { decisions }));
  await explain('a reviewer: what others decided since', () => {
    return send(world, `access_review/${review}/changes?since=${encodeURIComponent(String(cursor))}`, undefined, reviewer);
  });
  await explain('report', () => world.reported());
  await explain('close', async () => {
    await send(world, `access_review/${review}/action/close`, { decision: 'CLOSE_DECISION_SKIP' });
    await untilState(world, 'CLOSED');
  });
  for (const search of await listInventory(world)) {
    searches.push(summarize(search.name.replace(', deep', ', a page of 100'), await collectPlans(world.server, () => ask(world, search))));
  }
  return { sections: withWatchApart(sections), searches };
}

/** Queries of the watch over open reviews, each minute and so in the middle of anything. */
const watching =
  /^(SELECT s\.id, ARRAY\(SELECT u\.id FROM users_public u|SELECT c\.value FROM tenant_counters|SELECT r\.id FROM reviews r WHERE .* r\.state = 'CLOSED')/;

/** The same sections with the watch in one of its own: the slowest run of each of its statements. */
function withWatchApart(sections: readonly Section[]): Section[] {
  const found = sections
    .flatMap(({ plans }) => plans.filter(({ sql }) => watching.test(sql)))
    .sort((a, b) => b.milliseconds - a.milliseconds);
  const plans = found.filter((plan, index) => found.findIndex(({ sql }) => sql === plan.sql) === index);
  const others = sections.map((section) => ({ ...section, plans: section.plans.filter(({ sql }) => !watching.test(sql)) }));
  return [...others, { title: 'the watch over open reviews, once a minute', plans }];
}

/** Statements quicker than this are named without their plan. */
const smallMilliseconds = 0.5;

function render(sections: readonly Section[]): string {
  return sections
    .map(({ title, plans }) => {
      const shown = plans.map(({ sql, milliseconds, nodes }) => {
        const line = `${milliseconds.toFixed(1)} ms: \`${sql.replaceAll('`', "'")}\``;
        return milliseconds < smallMilliseconds ? line : `${line}\n\n\`\`\`\n${nodes.join('\n')}\n\`\`\``;
      });
      return `## ${title}\n\n${shown.join('\n\n') || 'No statement.'}`;
    })
    .join('\n\n');
}

/** The operations that read a table of at least a thousand rows from end to end. */
function listScans(sections: readonly Section[]): string {
  return sections
    .flatMap(({ title, plans }) =>
      plans.flatMap(({ scans, milliseconds }) => scans.map((scan) => `| ${title} | ${scan} | ${milliseconds.toFixed(0)} ms |`)),
    )
    .join('\n');
}

const { values } = parseArgs({
  options: { rows: { type: 'string', default: '1000000' }, output: { type: 'string', default: 'docs/performance/explain.md' } },
});
const world = await openWorld(Number(values.rows));
try {
  const { sections, searches } = await explainAll(world);
  const heading = `# Plans at ${world.size.grants.toLocaleString('en')} grants

Written by \`node bench/explain.ts\`: EXPLAIN (ANALYZE, BUFFERS) of what the service itself sent, as its plain role with row-level security forced
(auto_explain). Each statement of an operation stands with its slowest run, and with the nodes that took at least 4 % of its time. Measuring makes
them up to twice as slow as they are. Times are of a machine with two cores that did other work as well. ${world.size.people.toLocaleString('en')} people,
${world.size.accounts.toLocaleString('en')} accounts, ${world.size.entitlements.toLocaleString('en')} entitlements in one app, one review of everything.

Tables of a thousand rows and more that are read from end to end:

| operation | table | time of the statement |
|---|---|---|
${listScans(sections)}

Lists and searches of the inventory, in an uneven company made by bench/data/search-company.ts. A page has 50 rows unless the name says otherwise. The table
shows all statements of a request together, their indexes, and the tables of which they read a thousand rows or more from end to end.

| search | statements | indexes | read whole |
|---|---|---|---|
${searches.join('\n')}
`;
  await writeFile(values.output, `${heading}\n${render(sections)}\n`);
} finally {
  await world.stop();
}
