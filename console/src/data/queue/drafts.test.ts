/** Merging of drafts of this device, of other tabs and of the server. */
import { describe, expect, it } from 'vitest';
import {
  changedDrafts,
  clocksApartMs,
  counts,
  type Draft,
  isMeant,
  isUnsaved,
  listToSave,
  markSaved,
  mergeCopies,
  mergeHeld,
  mergeServer,
  maxAtOnce,
  type StagedDecision,
} from './drafts.ts';

const draft = (taskId: string, more: Partial<Draft> = {}): Draft => ({
  taskId,
  choice: 'certify',
  comment: '',
  until: '',
  at: 100,
  savedAt: 0,
  amend: false,
  refused: '',
  ...more,
});
const staged = (taskId: string, more: Partial<StagedDecision> = {}): StagedDecision => ({
  taskId,
  choice: 'certify',
  comment: '',
  until: '',
  amend: false,
  stagedAt: 100,
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

  it('is unsaved until the server holds it as it is, and one that was taken back until it is gone there', () => {
    expect(isUnsaved(draft('a'))).toBe(true);
    expect(isUnsaved(draft('a', { savedAt: 100 }))).toBe(false);
    expect(isUnsaved(draft('a', { at: 200, savedAt: 100 }))).toBe(true);
    expect(isUnsaved(draft('a', { choice: 'none' }))).toBe(false);
    expect(isUnsaved(draft('a', { choice: 'none', at: 200, savedAt: 100 }))).toBe(true);
    expect(isUnsaved(draft('a', { refused: 'gone' }))).toBe(false);
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

  it('of the same decision keep the one that knows that it is saved, or refused', () => {
    const saved = draft('a', { savedAt: 100 });
    const refused = draft('a', { refused: 'gone' });
    expect(mergeCopies(byTask(draft('a')), byTask(saved)).get('a')).toEqual(saved);
    expect(mergeCopies(byTask(saved), byTask(draft('a'))).get('a')).toEqual(saved);
    expect(mergeCopies(byTask(saved), byTask(refused)).get('a')).toEqual(refused);
  });

  it('do not bring back what was taken back later', () => {
    const stone = draft('a', { choice: 'none', at: 300, savedAt: 100 });
    expect(mergeCopies(byTask(stone), byTask(draft('a', { savedAt: 100 }))).get('a')).toEqual(stone);
  });
});

describe('copies of this device', () => {
  const [known, changed] = [draft('a', { at: 100 }), draft('a', { choice: 'deny', at: 200 })];
  const heldAfter = (held: Draft | undefined, before: Draft | undefined, mine: Draft | undefined): Draft | undefined =>
    mergeHeld(held === undefined ? new Map() : byTask(held), new Map([['a', before]]), mine === undefined ? new Map() : byTask(mine)).get(
      'a',
    );

  it('follow this tab, also to what is older by the clock of the server', () => {
    expect([heldAfter(undefined, undefined, known), heldAfter(known, known, changed), heldAfter(known, known, undefined)]).toEqual([
      known,
      changed,
      undefined,
    ]);
    const fromServer = draft('a', { comment: 'elsewhere', at: 90, savedAt: 90 });
    expect(heldAfter(known, known, fromServer)).toEqual(fromServer);
  });

  it('keep what another tab wrote later, and what this tab did not touch', () => {
    const later = draft('a', { choice: 'deny', at: 300 });
    expect([heldAfter(later, known, changed), heldAfter(later, known, undefined), heldAfter(later, undefined, known)]).toEqual([
      later,
      later,
      later,
    ]);
    expect([...mergeHeld(byTask(draft('b')), new Map([['a', undefined]]), byTask(known)).keys()]).toEqual(['b', 'a']);
  });

  it('are written where they changed', () => {
    const same = draft('s');
    expect([...changedDrafts(byTask(same, known, draft('g')), byTask(same, changed, draft('n'))).keys()]).toEqual(['a', 'g', 'n']);
  });
});

describe('what the server holds', () => {
  it('is taken where this device has nothing', () => {
    expect(mergeServer(new Map(), [staged('a', { choice: 'deny', comment: 'left', until: '', stagedAt: 70 })]).get('a')).toEqual(
      draft('a', { choice: 'deny', comment: 'left', at: 70, savedAt: 70 }),
    );
  });

  it('gives way to what was decided here and not saved yet', () => {
    const here = draft('a', { choice: 'deny', at: 200 });
    expect(mergeServer(byTask(here), [staged('a')]).get('a')).toEqual(here);
  });

  it('wins where it was staged later, on another device', () => {
    const here = draft('a', { choice: 'deny', at: 50 });
    const stagedAt = 50 + clocksApartMs + 1;
    expect(mergeServer(byTask(here), [staged('a', { stagedAt })]).get('a')).toMatchObject({
      choice: 'certify',
      at: stagedAt,
      savedAt: stagedAt,
    });
  });

  it('gives way to what was changed here while it was on its way there, whichever clock is ahead', () => {
    const here = draft('a', { choice: 'deny', at: 90 });
    expect(mergeServer(byTask(here), [staged('a')]).get('a')).toEqual(here);
  });

  it('does not bring back what was taken back before the answer came, and is asked to forget it', () => {
    const merged = mergeServer(byTask(draft('a', { choice: 'none', at: 90 })), [staged('a')]).get('a') as Draft;
    expect(merged).toMatchObject({ choice: 'none', at: 90 });
    expect(isUnsaved(merged)).toBe(true);
  });

  it('wins over a saved copy, which another device may have changed', () => {
    const here = draft('a', { comment: 'old', savedAt: 100 });
    expect(mergeServer(byTask(here), [staged('a', { comment: 'new' })]).get('a')).toMatchObject({ comment: 'new' });
  });

  it('takes away what was saved and is gone there: it was taken back or submitted elsewhere', () => {
    expect(mergeServer(byTask(draft('a', { savedAt: 100 })), []).size).toBe(0);
  });

  it('leaves what was never saved, and what stands beside somebody else’s decision', () => {
    const refused = draft('b', { refused: 'Farid was first', savedAt: 100 });
    expect([...mergeServer(byTask(draft('a'), refused), []).keys()]).toEqual(['a', 'b']);
  });

  it('does not bring back what was taken back here, and forgets that where it is gone there', () => {
    const stone = draft('a', { choice: 'none', at: 300, savedAt: 100 });
    expect(mergeServer(byTask(stone), [staged('a')]).get('a')).toEqual(stone);
    expect(mergeServer(byTask(stone), []).size).toBe(0);
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

  it('is saved afterwards; what changed meanwhile is not, and stones are over', () => {
    const sent = draft('a');
    const changed = draft('b', { at: 200 });
    const marked = markSaved(byTask(sent, changed, draft('c', { choice: 'none', savedAt: 50 })), [sent, draft('b')]);
    expect([...marked.keys()]).toEqual(['a', 'b']);
    expect([...marked.values()].map(isUnsaved)).toEqual([false, true]);
  });

  it('keeps a stone of what was on its way when it was taken back', () => {
    const marked = markSaved(byTask(draft('a', { choice: 'none', at: 300, savedAt: 0 })), [draft('a')]);
    expect(marked.get('a')).toMatchObject({ choice: 'none', savedAt: 100 });
    expect([...marked.values()].map(isUnsaved)).toEqual([true]);
  });
});
