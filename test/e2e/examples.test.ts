/** The examples of documents that show one thing each, run against a small company: policies, triggers, the lists of a scope, removals. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CommandResult, environmentFor, runInProcess } from '../support/command-line.ts';
import { type Company, startCompany } from '../support/small-company.ts';
import { until } from '../support/until.ts';

const pageOf = (name: string): string => readFileSync(join(import.meta.dirname, `../../docs/${name}.md`), 'utf8');
const jsonOf = (name: string): string[] => [...pageOf(name).matchAll(/^```json\n(.*?)^```$/gms)].map(([, text = '']) => text);

describe('the examples of documents', () => {
  let company: Company;
  beforeAll(async () => {
    company = await startCompany();
  });
  afterAll(() => company.server.stop());

  /** Runs a line as a page shows it: what is piped into it is its input, and what it writes into a file is what it prints. */
  async function runLine(line: string, names: Readonly<Record<string, string>>): Promise<CommandResult> {
    const [, input, command = ''] = /^(?:echo '([^']*)' \| )?countersign (.*?)(?: > \S+)?$/.exec(line) ?? [];
    const words = [...command.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, word = '']) => quoted ?? names[word] ?? word);
    const result = await runInProcess(words, {
      env: environmentFor(company.server.url, company.server.admin.credential),
      ...(input === undefined ? {} : { stdin: input }),
    });
    expect([line, result.code, result.stderr]).toEqual([line, 0, '']);
    return result;
  }
  const linesOf = (name: string, of: RegExp): string[] =>
    pageOf(name)
      .split('\n')
      .filter((line) => of.test(line));

  it('are policies that are taken as they are, and asked', async () => {
    const examples = jsonOf('policies');
    expect(examples).toHaveLength(2);
    for (const example of examples) {
      const { policy } = await company.call('POST', '/api/v1/policies', JSON.parse(example.replace('HIGH', company.high)));
      const draftId = await company.draft({ singleApp: { appId: company.appId }, policyId: policy.id });
      const { items, reviewers } = await company.preview(draftId);
      expect(Number(items)).toBe(7);
      expect(reviewers.length).toBeGreaterThan(0);
    }
  });

  it('are triggers of a template', async () => {
    const made = await company.call('POST', '/api/v1/access_review_template', { displayName: 'Movers' });
    const path = `/api/v1/access_review_template/${made.accessReviewTemplate.id}/triggers`;
    const examples = jsonOf('schedules');
    expect(examples).toHaveLength(1);
    for (const example of examples) {
      expect(JSON.stringify(await company.call('PUT', path, JSON.parse(example)))).toContain('ctx.trigger.newUser.department');
    }
  });

  it('are the lists of a scope, as a command takes them', async () => {
    const id = await company.draft({ singleApp: { appId: company.appId } });
    const lines = linesOf('scopes', /^echo .*countersign review scope-lists/);
    expect(lines).toHaveLength(1);
    for (const line of lines) {
      await runLine(line, { '<review>': id });
    }
    expect(await company.call('GET', `/api/v1/access_review/${id}/scope_lists`)).toMatchObject({ scopeLists: { changesOnly: true } });
  });

  it('are the way of a removal, from the list to the file', async () => {
    const id = await company.draft({ singleApp: { appId: company.appId } });
    await company.act(id, 'prepare', 'REVIEW');
    await company.act(id, 'start', 'OPEN');
    const { list } = await company.call('POST', '/api/v1/search/tasks', { accessReviewIds: [id], pageSize: 100 });
    await company.call('POST', `/api/v1/tasks/${list[0].task.id}/action/deny`, { comment: 'No longer needed' });
    await company.act(id, 'close', 'CLOSED');
    const removal = await until(async () => {
      const [first] = (await company.call('GET', '/api/v1/revocations')).list;
      expect(first?.state).toBe('REVOCATION_STATE_IN_PROGRESS');
      return first;
    });
    const lines = linesOf('revocations', /^countersign revocation/);
    expect(lines.length).toBeGreaterThanOrEqual(5);
    const [shown] = /\b[0-9A-Za-z]{27}\b/.exec(lines.join(' ')) ?? [''];
    const printed = new Map<string, string>();
    for (const line of lines) {
      printed.set(line.split(' ')[2] ?? '', (await runLine(line, { [shown]: removal.id })).stdout);
    }
    expect(printed.get('show')).toContain(removal.id);
    expect(printed.get('export')).toContain('Ticket 1804');
  });
});
