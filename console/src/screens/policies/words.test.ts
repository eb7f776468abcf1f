/** Steps in words: every kind has some, and what is new is shown as it is rather than not at all. */
import { beforeAll, describe, expect, it } from 'vitest';
import { loadLanguage } from '~/text/text.ts';
import { approvers } from './types.ts';
import { approverWords, levelWords, oneStep, stepWords } from './words.ts';

beforeAll(async () => {
  // There is no page here whose language could be set.
  (globalThis as { document?: unknown }).document ??= { documentElement: {} };
  await loadLanguage(['en']);
});

describe('a step in words', () => {
  it('says whom it asks', () => {
    expect(oneStep({ approval: { manager: {} } })).toBe('The person’s manager');
    expect(oneStep({ approval: { appOwners: {} } })).toBe('The owners of the app');
    expect(oneStep({ approval: { expression: { expressions: ['subject'] } } })).toBe('Whom an expression finds');
  });

  it('counts the people who are named', () => {
    expect(oneStep({ approval: { users: { userIds: ['a'] } } })).toBe('1 named person');
    expect(oneStep({ approval: { users: { userIds: ['a', 'b', 'c'] } } })).toBe('3 named people');
    expect(oneStep({ approval: { users: {} } })).toBe('0 named people');
  });

  it('says what happens without anybody', () => {
    expect(oneStep({ accept: {} })).toBe('Certifies by itself');
    expect(oneStep({ reject: {} })).toBe('Denies by itself');
    expect(oneStep({ wait: {} })).toBe('Waits');
  });

  it('says so where reviews refuse it', () => {
    expect(oneStep({ form: {} })).toBe('A step that reviews refuse');
    expect(oneStep({})).toBe('A step that reviews refuse');
  });

  it('has words for every approver', () => {
    for (const kind of approvers) {
      expect(approverWords(kind)).toMatch(/^[A-Z]/);
      expect(approverWords(kind)).not.toContain('policies.');
    }
  });
});

describe('several steps', () => {
  it('stand one after the other', () => {
    expect(stepWords([{ approval: { manager: {} } }, { approval: { appOwners: {} } }])).toBe(
      'The person’s manager → The owners of the app',
    );
  });

  it('are none where there are none', () => {
    expect(stepWords([])).toBe('No steps');
  });
});

describe('a level that a test names', () => {
  it.each([
    ['MANAGER', 'The person’s manager'],
    ['APP_OWNERS', 'The owners of the app'],
    ['FALLBACK_USERS', 'The people named instead'],
    ['REVIEW_OWNERS', 'The owners of the review'],
    ['SUPER_ADMINISTRATORS', 'Super Administrators'],
  ])('%s is %s', (level, words) => {
    expect(levelWords(level)).toBe(words);
  });

  it('is shown as it is where it is not known', () => {
    expect(levelWords('SOMETHING_NEW')).toBe('something new');
    expect(levelWords('')).toBe('');
  });
});
