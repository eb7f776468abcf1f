/** `countersign template` against a running server, and the schedules of docs/schedules.md. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ownZoneOf, readRecurrence } from '../../src/governance/templates/record/document.ts';
import { findOccurrence, type Recurrence } from '../../src/governance/templates/record/recurrence.ts';
import { timestamp } from '../../src/wire/timestamps.ts';
import { request } from '../support/api.ts';
import { environmentFor, runInProcess } from '../support/command-line.ts';
import { useTestServer, type TestServer } from '../support/server.ts';

/** The rows of the table: options of the command, and when reviews are made. */
function readExamples(): [options: string, times: string[]][] {
  const page = readFileSync(join(import.meta.dirname, '../../docs/schedules.md'), 'utf8');
  return [...page.matchAll(/^\| `(--[^`]+)` \| (20.*) \|$/gm)].map(([, options = '', times = '']) => [options, times.split(', ')]);
}

/** The rows of the table of triggers: options of the command, and what it says then. */
function readTriggers(): [options: string, said: string][] {
  const page = readFileSync(join(import.meta.dirname, '../../docs/schedules.md'), 'utf8');
  const rows = [...page.matchAll(/^\| `(--on (\w+) --condition '([^']+)')` \| /gm)];
  expect(rows).toHaveLength(3);
  return rows.map(([, options = '', kind = '', condition = '']) => [options, `${kind} if ${condition}`]);
}

describe('template', () => {
  let server: TestServer;
  let id: string;
  beforeAll(async () => {
    server = await useTestServer();
    const made = await run('create', '--name', 'Quarterly', '--days', '14', '--auto-start', '--json');
    expect(made).toMatchObject({ code: 0, stderr: '' });
    id = JSON.parse(made.stdout).id;
  });
  afterAll(() => server.stop());
  const run = (...args: string[]) => runInProcess(['template', ...args], { env: environmentFor(server.url, server.admin.credential) });

  it('create, show, update and list', async () => {
    expect((await run('create')).code).toBe(2);
    expect((await run('create', '--days', 'ten')).code).toBe(2);
    const shown = (await run('show', id)).stdout;
    expect(shown).toContain('name       Quarterly');
    expect(shown).toContain('schedule   off');
    expect(shown).toContain('due        14 days after the start');
    const updated = await run('update', id, '--description', 'Of all apps', '--json');
    expect(JSON.parse(updated.stdout)).toMatchObject({
      id,
      description: 'Of all apps',
      displayName: 'Quarterly',
      accessReviewDuration: '1209600s',
    });
    expect((await run('list')).stdout).toMatch(new RegExp(`${id} +- +0 +Quarterly`));
  });

  it('run makes a draft with its dates', async () => {
    const review = JSON.parse((await run('run', id, '--name', 'Now', '--json')).stdout);
    expect(review).toMatchObject({
      displayName: 'Now',
      accessReviewTemplateId: id,
      state: 'ACCESS_REVIEW_STATE_DRAFT',
      autoStartCampaign: true,
    });
    expect(Date.parse(review.completionDate) - Date.parse(review.scheduledStartDate)).toBe(14 * 86_400_000);
    expect((await run('list')).stdout).toMatch(new RegExp(`${id} +- +1 +Quarterly`));
  });

  it('trigger sets whose change makes a review, shows it, and switches it off', async () => {
    expect((await run('trigger', id)).stdout).toBe('off\n');
    for (const [options, said] of readTriggers()) {
      const words = [...options.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '');
      expect(await run('trigger', id, ...words)).toMatchObject({ code: 0, stderr: '', stdout: `${said}\n` });
    }
    expect((await run('trigger', id)).stdout).toContain('leaver if ');
    expect((await run('trigger', id, '--off')).stdout).toBe('off\n');
    expect((await run('trigger', id, '--on', 'joiner')).code).toBe(2);
    expect((await run('trigger', id, '--condition', 'true')).code).toBe(2);
    expect((await run('trigger', id, '--on', 'mover', '--condition', 'ctx.trigger.nobody')).stderr).toContain('condition');
  });

  it('has its examples', () => expect(readExamples()).toHaveLength(8));

  it.each(readExamples())('schedule %s', async (options, times) => {
    await request(server, server.admin, 'POST', `/api/v1/access_review_template/${id}`, { accessReviewTemplate: { annotations: {} } });
    const { stdout } = await run('schedule', id, ...options.split(' '), '--json');
    const template = JSON.parse(stdout);
    expect(template.nextScheduledCampaignAt).toBe(times[0]);
    const rule = readRecurrence(template, ownZoneOf(template) ?? 'UTC') as Recurrence;
    const computed = Array.from({ length: 3 }).flatMap((_, number) => timestamp(findOccurrence(rule, number)) ?? []);
    expect([...computed, ...(findOccurrence(rule, 3) === undefined ? [] : ['...'])]).toEqual(times);
    expect((await run('show', id)).stdout).toContain(`next       ${times[0]}`);
  });

  it('schedule is refused where it says nothing, and switched off', async () => {
    expect((await run('schedule', id, '--every', 'hour')).code).toBe(2);
    expect((await run('schedule', id, '--every', 'day', '--until', '2040-01-01T00:00:00Z', '--times', '2')).code).toBe(2);
    expect((await run('schedule', id, '--every', 'day', '--zone', 'Mars/Olympus')).stderr).toContain('time zone');
    await run('schedule', id, '--off');
    expect((await run('show', id)).stdout).toContain('schedule   off');
  });

  it('delete needs its confirmation, and ends it', async () => {
    expect((await run('delete', id)).code).toBe(1);
    expect((await run('delete', id, '--yes')).stdout).toBe(`${id} is deleted\n`);
    expect((await run('show', id)).code).toBe(1);
  });
});
