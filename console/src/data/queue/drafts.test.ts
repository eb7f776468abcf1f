/** Drafts of this device: which count, and how those of its tabs become one. */
import { describe, expect, it } from 'vitest';
import { changedDrafts, counts, type Draft, isMeant, listToSave, maxAtOnce, mergeCopies, nextTime, stepBack } from './drafts.ts';

const draft = (taskId: string, more: Partial<Draft> = {}): Draft => ({
  taskId,
  choice: 'certify',
  comment: '',
  until: '',
  at: 100,
  amend: false,
  refused: '',
  ...more,
});
const byTask = (...drafts: Draft[]): Map<string, Draft> => new Map(drafts.map((one) => [one.taskId, one]));

describe('a draft', () => {
  it('counts where it stands for a decision that the server takes', () => {
    expect([
      counts(undefined),
      counts(draft('a')),
      counts(draft('a', { choice: 'none' })),
      counts(draft('a', { refused: 'gone' })),
    ]).toEqual([false, true, false, false]);
    expect([isMeant(draft('a', { refused: 'gone' })), isMeant(draft('a', { choice: 'none' }))]).toEqual([true, false]);
  });
});

describe('two copies', () => {
  it('are merged by time, whichever comes first', () => {
    const older = draft('a', { choice: 'certify', at: 100 });
    const newer = draft('a', { choice: 'deny', at: 200 });
    expect(mergeCopies(byTask(older), byTask(newer)).get('a')).toEqual(newer);
    expect(mergeCopies(byTask(newer), byTask(older)).get('a')).toEqual(newer);
  });

  it('keep what only one of them has', () => {
    expect([...mergeCopies(byTask(draft('a')), byTask(draft('b'))).keys()]).toEqual(['a', 'b']);
  });

  it('of the same decision keep the one that knows more, whichever comes first', () => {
    const amended = draft('a', { amend: true });
    const refused = draft('a', { refused: 'gone' });
    const told = draft('a', { instead: 'deny' });
    for (const [less, more] of [
      [draft('a'), refused],
      [draft('a'), amended],
      [draft('a'), told],
      [amended, refused],
    ] as const) {
      expect([mergeCopies(byTask(less), byTask(more)).get('a'), mergeCopies(byTask(more), byTask(less)).get('a')]).toEqual([more, more]);
    }
  });

  it('of two decisions of one moment are one and the same in both tabs', () => {
    const [left, right] = [byTask(draft('a')), byTask(draft('a', { choice: 'deny' }))];
    expect(mergeCopies(left, right).get('a')).toEqual(mergeCopies(right, left).get('a'));
  });

  it('do not bring back what was taken back later', () => {
    const stone = draft('a', { choice: 'none', at: 300 });
    expect(mergeCopies(byTask(stone), byTask(draft('a'))).get('a')).toEqual(stone);
  });

  it('say what changed between them', () => {
    const same = draft('s');
    const [known, changed] = [draft('a', { at: 100 }), draft('a', { choice: 'deny', at: 200 })];
    expect(changedDrafts(byTask(same, known), byTask(same, changed, draft('n'))).map(({ taskId }) => taskId)).toEqual(['a', 'n']);
  });
});

describe('an order of decisions', () => {
  it('goes on where a clock stands or goes back', () => {
    const next = (drafts: Map<string, Draft>, now: number, latest = 0) => nextTime({ drafts, latest }, now);
    expect([next(new Map(), 50), next(byTask(draft('a')), 50), next(byTask(draft('a')), 500), next(new Map(), 5, 7)]).toEqual([
      50, 101, 500, 8,
    ]);
  });

  it('takes a step back as a later decision', () => {
    const before = draft('a', { comment: 'left', instead: 'deny' });
    expect(
      stepBack(
        [
          ['a', before],
          ['b', undefined],
        ],
        7,
      ),
    ).toEqual([{ ...before, at: 7, instead: undefined }, draft('b', { choice: 'none', at: 7 })]);
  });
});

describe('what is sent', () => {
  it('is the whole list that counts, the oldest first', () => {
    const drafts = byTask(
      draft('c', { at: 3 }),
      draft('a', { at: 1 }),
      draft('x', { choice: 'none' }),
      draft('y', { refused: 'gone' }),
      draft('b', { at: 1 }),
    );
    expect(listToSave(drafts).map(({ taskId }) => taskId)).toEqual(['a', 'b', 'c']);
  });

  it('is as much as the server takes', () => {
    const many = byTask(...Array.from({ length: maxAtOnce + 5 }, (_, index) => draft(`t${index}`, { at: index })));
    expect(listToSave(many)).toHaveLength(maxAtOnce);
  });
});
