/**
 * The largest published data set reviewed by its managers over HTTP: imported, prepared, every task decided by the person who was asked,
 * through a credential of their own that the administrator issued, closed and reported. The normal suite does it with a part of the set;
 * COUNTERSIGN_AMERICAS=all takes all 105,205 grants. The times go to the log.
 */
import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Client } from '../../src/client/index.ts';
import {
  type Campaign,
  decideOne,
  decisionFor,
  distinctKeys,
  draftReview,
  fetchReport,
  importGrants,
  importPeople,
  keyOf,
  listOpenTasks,
  listPeople,
  makeReviewer,
  moveReview,
  resizeGrants,
  type Reviewer,
  submitMany,
  writeGrantsCsv,
} from '../resilience/campaign.ts';
import { checkDatabase } from '../resilience/check-campaign.ts';
import { clientOf, makePlace, type Place, readCredential, type ServerProcess, startServer } from '../resilience/server-process.ts';
import { type DataSet, type GrantRecord, readDataSet } from '../support/data-sets.ts';

const isAll = process.env['COUNTERSIGN_AMERICAS'] === 'all';
/** Reviewers at work at the same time. */
const atOnce = 8;
/** Of each reviewer's tasks so many are decided one at a time. */
const singly = 3;

let place: Place;
let server: ServerProcess;
let admin: Client;
let data: DataSet;
let grants: readonly GrantRecord[];
let campaign: Campaign;
const reviewerOf = new Map<string, Reviewer>();
const times: string[] = [];

/** Reviewer of each grant: the owner's manager if active, else the review's owner ('' here). Computed from the file. */
function expectedReviewers(): Map<string, string> {
  const people = new Map(data.people.map((one) => [one.email, one]));
  const asked = new Map<string, string>();
  for (const grant of grants) {
    const manager = people.get(people.get(grant.email)?.manager_email ?? '');
    const isFit = manager !== undefined && manager.employment_status === 'ACTIVE' && manager.email !== grant.email;
    asked.set(keyOf(grant.account, grant.resource, `${grant.resource} ${grant.entitlement}`), isFit ? manager.email : '');
  }
  return asked;
}

async function timed<T>(what: string, work: () => Promise<T>): Promise<T> {
  const begun = performance.now();
  const result = await work();
  times.push(`${what}: ${((performance.now() - begun) / 1000).toFixed(1)} s`);
  return result;
}

/** Does `work` for each of many, some at once. */
async function forEachOf<T>(all: readonly T[], work: (one: T) => Promise<void>): Promise<void> {
  const rest = [...all];
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (let one = rest.shift(); one !== undefined; one = rest.shift()) {
        await work(one);
      }
    }),
  );
}

beforeAll(async () => {
  place = await makePlace();
  server = startServer(place);
  await server.ready();
  admin = clientOf(place, await readCredential(place));
  data = readDataSet('americas_small');
  grants = isAll ? data.grants : resizeGrants(data, 5000);
});
afterAll(async () => {
  console.log(`${grants.length} grants\n${times.join('\n')}`);
  await server.end('SIGTERM');
  await place.remove();
});

describe('americas_small', { timeout: 900_000 }, () => {
  it('is imported', async () => {
    await timed('people imported', () => importPeople(admin, data.peopleCsv));
    const imported = await timed('grants imported', () => importGrants(admin, 'americas', writeGrantsCsv(grants)));
    expect(imported).toEqual({ added: distinctKeys(grants).size, unchanged: 0 });
  });

  it('is prepared and started', async () => {
    campaign = await draftReview(admin, 'americas', distinctKeys(grants));
    await timed('prepared', () => moveReview(admin, campaign, 'prepare'));
    await timed('started', () => moveReview(admin, campaign, 'start'));
  });

  it('is decided by those who are asked, each through a credential of their own', async () => {
    const people = await listPeople(admin);
    const tasksOf = new Map<string, number>();
    for (const email of expectedReviewers().values()) {
      tasksOf.set(email, (tasksOf.get(email) ?? 0) + 1);
    }
    await timed(`${tasksOf.size - 1} credentials issued`, () =>
      forEachOf([...tasksOf.keys()], async (email) => {
        reviewerOf.set(email, await makeReviewer(admin, people.get(email) ?? '', email));
      }),
    );
    let [submissions, single] = [0, 0];
    await timed('all tasks decided', () =>
      forEachOf([...reviewerOf.values()], async (reviewer) => {
        const ids = await listOpenTasks(reviewer, campaign.reviewId, Number.POSITIVE_INFINITY);
        expect(ids.length, reviewer.email).toBe(tasksOf.get(reviewer.email));
        for (const id of ids.slice(0, singly)) {
          await decideOne(campaign, reviewer, id);
          single += 1;
        }
        for (let from = singly; from < ids.length; from += 1000) {
          await submitMany(campaign, reviewer, ids.slice(from, from + 1000));
          submissions += 1;
        }
      }),
    );
    times.push(`${tasksOf.size} reviewers, ${submissions} submissions, ${single} decisions singly`);
    expect(campaign.journal.size).toBe(campaign.keys.size);
  });

  it('is closed', async () => {
    await timed('closed', () => moveReview(admin, campaign, 'close'));
    await checkDatabase(place, campaign);
  });

  it('is reported: every row once, with who decided what and when', async () => {
    const csv = await timed('CSV report', () => fetchReport(admin, campaign.reviewId, 'CSV'));
    const json = await timed('JSON report', () => fetchReport(admin, campaign.reviewId, 'JSON'));
    const rows = parse<Record<string, string>>(csv, { columns: true });
    const objects = JSON.parse(json) as {
      taskId: string;
      certifiers: { email: string; issuedBy?: { id: string } }[];
      decisions: { decision: string; at: string }[];
    }[];
    expect(rows.length).toBe(campaign.keys.size);
    expect(objects.length).toBe(campaign.keys.size);
    const owners = new Map(grants.map((grant) => [grant.account, grant.email]));
    const asked = expectedReviewers();
    const wrong: unknown[] = [];
    const seen = new Set<string>();
    for (const [index, row] of rows.entries()) {
      const key = keyOf(row['Account'] ?? '', row['Resource'] ?? '', row['Entitlement'] ?? '');
      const object = objects[index];
      const isDenied = decisionFor(object?.taskId ?? '') === 'DENY';
      const reviewer = asked.get(key);
      const [certifier] = object?.certifiers ?? [];
      seen.add(key);
      const isRight =
        row['Account owner email'] === owners.get(row['Account'] ?? '') &&
        row['Decisions'] === (isDenied ? 'Denied' : 'Certified') &&
        !Number.isNaN(Date.parse(row['Resolved on'] ?? '')) &&
        object?.decisions.length === 1 &&
        object.decisions[0]?.decision === (isDenied ? 'DENIED' : 'CERTIFIED') &&
        !Number.isNaN(Date.parse(object.decisions[0]?.at ?? '')) &&
        object.certifiers.length === 1 &&
        // Where the administrator was asked, nobody had to issue a credential.
        (reviewer === '' ? certifier?.issuedBy === undefined : certifier?.email === reviewer && certifier?.issuedBy !== undefined) &&
        (row['Certifiers'] ?? '').includes(certifier?.email ?? '?');
      if (!isRight) {
        wrong.push({ row, object, reviewer });
      }
    }
    expect(wrong.slice(0, 3)).toEqual([]);
    expect(seen).toEqual(campaign.keys);
  });
});
