/** The list of reactions held against the code: what is listened for is said by somebody, and what is called for is done by somebody. */
import { expect, it } from 'vitest';
import { isTest, listSources } from '../test/house/tree.ts';
import { jobKinds as reportJobs } from './domains/reports/index.ts';
import { jobKinds as reviewJobs } from './domains/reviews/index.ts';
import { jobKinds as taskJobs } from './domains/tasks/index.ts';
import { allReactions } from './reactions.ts';

const kinds = [...new Set(allReactions.flatMap((reaction) => reaction.kinds))];

it('listens for events that somebody writes', () => {
  const code = listSources('src/domains').filter((file) => !isTest(file));
  const unsaid = kinds.filter((kind) => !code.some((file) => file.text.includes(`'${kind}'`)));
  expect(unsaid).toEqual([]);
});

it('listens for no event that a statement writes beside recordEvent, unless its rule says so itself', () => {
  // Decisions, comments and submissions write task, action and event in one statement; restartTask reacts after it.
  const silent = kinds.filter((kind) => /^task\.(?!restarted$|reviewer_fallback$)|^review\.submitted$/.test(kind));
  expect(silent).toEqual([]);
});

it('calls for jobs that there are', () => {
  const known = new Map([...taskJobs, ...reviewJobs, ...reportJobs]);
  const called = allReactions.flatMap(({ kinds: of, decide }) =>
    of.flatMap((kind) => decide({ kind, targetId: 'x', data: { fields: ['completionDate'] } }, { tenantId: 't' })?.kind ?? []),
  );
  expect(called.length).toBeGreaterThan(kinds.length);
  expect([...new Set(called)].filter((kind) => !known.has(kind))).toEqual([]);
});
