/** Request of a person who turns a kind of mail on or off. */
import { describe, expect, it } from 'vitest';
import { changeOwn, mailWish, withPending } from './kinds.ts';

const stored = {
  email: {
    enabled: true,
    reviews: { enabled: true, locked: false },
    taskReminders: { enabled: false, locked: true },
    connectorIssues: { enabled: true, locked: false },
    system: { enabled: true, locked: false },
  },
};

describe('the mails of a person', () => {
  it('are changed one kind at a time, and the others stay', () => {
    expect(changeOwn(stored, { kinds: { system: false } })).toEqual({
      email: { enabled: true, reviews: { enabled: true }, connectorIssues: { enabled: true }, system: { enabled: false } },
    });
  });

  it('are turned off as a whole without forgetting the kinds', () => {
    expect(changeOwn(stored, { enabled: false })).toEqual({
      email: { enabled: false, reviews: { enabled: true }, connectorIssues: { enabled: true }, system: { enabled: true } },
    });
  });

  it('leave out what the company decided', () => {
    expect(changeOwn(stored, { kinds: { taskReminders: true } }).email).not.toHaveProperty('taskReminders');
  });

  it('are shown as they were asked for while that is on its way', () => {
    const pending = changeOwn(stored, { kinds: { reviews: false } });
    const shown = withPending(stored, pending);
    expect([mailWish(shown, 'reviews').enabled, mailWish(shown, 'taskReminders').locked]).toEqual([false, true]);
    expect(withPending(stored, undefined)).toBe(stored);
  });

  it('are off where nothing is known of them', () => {
    expect([mailWish(stored, 'taskReminders'), mailWish({}, 'reviews')]).toEqual([
      { enabled: false, locked: true },
      { enabled: false, locked: false },
    ]);
  });
});
