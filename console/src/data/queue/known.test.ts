/** What the server holds beside what is decided here: whose word holds, whatever the clocks say. */
import { describe, expect, it } from 'vitest';
import { byTask, type Draft, stoneOf } from './drafts.ts';
import {
  countToSend,
  forgetRecorded,
  isUnsaved,
  joinKnown,
  type Known,
  knowList,
  noCopies,
  nothingKnown,
  noteSent,
  readRecord,
  type StagedDecision,
  takeList,
  writeRecord,
} from './known.ts';

const value = (taskId: string, more: Partial<StagedDecision> = {}): StagedDecision => ({
  taskId,
  choice: 'certify',
  comment: '',
  until: '',
  amend: false,
  ...more,
});
const draft = (taskId: string, more: Partial<Draft> = {}): Draft => ({ ...value(taskId), at: 100, refused: '', ...more }) as Draft;
const deny = (taskId: string) => value(taskId, { choice: 'deny' });
const list = (version: number, ...decisions: StagedDecision[]) => ({ version: String(version), decisions });
const known = (version: number, ...decisions: StagedDecision[]): Known =>
  knowList({ ...nothingKnown, round: version - 1 }, list(version, ...decisions));
const taken = (drafts: readonly Draft[], base: Known, ...there: StagedDecision[]) =>
  takeList({ drafts: byTask(drafts), known: base, latest: 0 }, list(99, ...there)).get('a');

describe('a draft', () => {
  it('is unsaved until the server holds it as it is, and one that was taken back until it is gone there', () => {
    expect(isUnsaved(draft('a'), nothingKnown)).toBe(true);
    expect(isUnsaved(draft('a'), known(1, value('a')))).toBe(false);
    expect(isUnsaved(draft('a', { choice: 'deny' }), known(1, value('a')))).toBe(true);
    expect(isUnsaved(draft('a', { until: '2027-01-31T23:00:00.000Z' }), known(1, value('a', { until: '2027-01-31T23:00:00Z' })))).toBe(
      false,
    );
    expect(isUnsaved(draft('a'), noteSent(known(1, value('a')), [deny('a')]))).toBe(true);
    expect(isUnsaved(draft('a'), noteSent(known(1, value('a')), [value('a')]))).toBe(false);
    expect(isUnsaved(draft('a'), noteSent(known(1, value('a')), []))).toBe(true);
    expect(isUnsaved(stoneOf('a', 1), nothingKnown)).toBe(false);
    expect(isUnsaved(stoneOf('a', 1), known(1, value('a')))).toBe(true);
    expect(isUnsaved(stoneOf('a', 1), noteSent(nothingKnown, [value('a')]))).toBe(true);
    expect(isUnsaved(draft('a', { refused: 'gone' }), nothingKnown)).toBe(false);
    expect(countToSend(byTask([draft('a'), draft('b'), stoneOf('c', 1), stoneOf('d', 1)]), known(1, value('b'), value('c')))).toBe(2);
  });
});

describe('the server’s list', () => {
  it('is taken where this device has nothing, in its order', () => {
    const drafts = takeList({ ...noCopies, latest: 7 }, list(1, value('b'), deny('a')));
    expect([...drafts.values()]).toEqual([draft('b', { at: 8 }), draft('a', { choice: 'deny', at: 9 })]);
  });

  it('gives way to what was changed here, where nobody changed it there', () => {
    const here = draft('a', { choice: 'deny' });
    expect(taken([here], known(1, value('a')), value('a'))).toBe(here);
    expect(taken([here], nothingKnown)).toBe(here);
    const stone = stoneOf('a', 100);
    expect(taken([stone], known(1, value('a')), value('a'))).toBe(stone);
  });

  it('wins where another device changed it, and nothing was changed here', () => {
    expect(taken([draft('a')], known(1, value('a')), deny('a'))).toEqual(draft('a', { choice: 'deny', at: 101 }));
    expect(taken([draft('a')], known(1, value('a')))).toEqual(stoneOf('a', 101));
    expect(taken([stoneOf('a', 100)], nothingKnown, deny('a'))).toEqual(draft('a', { choice: 'deny', at: 101 }));
    // Another tab may have a later stone, which this one has no more.
    const late = takeList({ drafts: byTask([stoneOf('a', 100)]), known: nothingKnown, latest: 500 }, list(1, deny('a')));
    expect(late.get('a')).toMatchObject({ choice: 'deny', at: 501 });
  });

  it('wins where both changed it, and the draft says what was said here', () => {
    expect(taken([draft('a')], nothingKnown, deny('a'))).toEqual(draft('a', { choice: 'deny', at: 101, instead: 'certify' }));
    expect(taken([stoneOf('a', 100)], known(1, value('a')), deny('a'))).toEqual(draft('a', { choice: 'deny', at: 101, instead: 'none' }));
  });

  it('leaves what was changed here where it was taken back there', () => {
    const here = draft('a', { choice: 'deny' });
    expect(taken([here], known(1, value('a')))).toBe(here);
  });

  it('is this device’s own where an answer was lost: what was decided since holds', () => {
    const here = draft('a', { choice: 'deny' });
    expect(taken([here], noteSent(nothingKnown, [value('a')]), value('a'))).toBe(here);
    const stone = stoneOf('a', 100);
    expect(taken([stone], noteSent(nothingKnown, [value('a')]), value('a'))).toBe(stone);
    const twice = noteSent(noteSent(nothingKnown, [value('a')]), [deny('a')]);
    expect(taken([draft('a', { comment: 'left' })], twice, value('a'))).toMatchObject({ comment: 'left' });
  });

  it('is no other decision where it changes what was recorded meanwhile', () => {
    const amend = { ...value('a'), amend: true };
    const stone = stoneOf('a', 100);
    expect(taken([stone], known(1, value('a')), amend)).toBe(stone);
    expect(taken([draft('a')], known(1, value('a')), amend)).toEqual(draft('a', { amend: true }));
    expect(taken([draft('a', { choice: 'deny' })], known(1, value('a')), amend)).toEqual(draft('a', { choice: 'deny', amend: true }));
    expect(taken([draft('a', { amend: true })], known(1, value('a')))).toEqual(stoneOf('a', 101));
  });

  it('leaves what stands beside somebody else’s decision', () => {
    const refused = draft('a', { refused: 'Farid was first' });
    expect(taken([refused], known(1, value('a')))).toBe(refused);
    expect(taken([refused], nothingKnown, deny('a'))).toBe(refused);
  });
});

describe('what two tabs know', () => {
  it('is the later list, whichever comes first', () => {
    const [older, newer] = [known(9, value('a')), known(10, deny('a'))];
    expect([joinKnown(older, newer), joinKnown(newer, older), joinKnown(nothingKnown, older)]).toEqual([newer, newer, older]);
  });

  it('is all that either sent since', () => {
    const [left, right] = [noteSent(known(1), [value('a')]), noteSent(known(1), [deny('a'), value('b')])];
    expect(joinKnown(left, right).sent).toEqual(
      new Map([
        ['a', [value('a'), deny('a')].map(({ taskId: _, ...rest }) => rest)],
        ['b', [value('b')].map(({ taskId: _, ...rest }) => rest)],
      ]),
    );
  });

  it('is what an answer says that does not have what was sent, and of one number of answers the later list', () => {
    const sent = noteSent(known(1), [value('a')]);
    const answered = knowList(sent, list(1));
    expect([joinKnown(sent, answered), joinKnown(answered, sent)]).toEqual([answered, answered]);
    const [before, behind] = [knowList(known(1), list(1)), knowList(known(1), list(2))];
    expect([joinKnown(before, behind), joinKnown(behind, before)]).toEqual([behind, behind]);
  });

  it('loses what was recorded', () => {
    const after = forgetRecorded(noteSent(known(1, value('a'), value('b')), [deny('a'), value('b')]), ['a'], '2');
    expect(after).toEqual(known(2, value('b')));
    expect(forgetRecorded(known(1, value('a')), ['a'], '')).toEqual(known(1, value('a')));
  });
});

describe('a record on the device', () => {
  it('holds drafts and what is known, and no stone whose work is done for an hour', () => {
    const hour = 3_600_000;
    const copies = {
      drafts: byTask([draft('a'), stoneOf('b', 1), stoneOf('c', 1), stoneOf('e', 2)]),
      known: noteSent(known(3, value('a'), value('b')), [deny('a'), value('d')]),
      latest: hour + 1,
    };
    const read = readRecord(JSON.parse(JSON.stringify(writeRecord(copies))));
    expect([[...read.drafts.keys()], read.known, read.latest]).toEqual([['a', 'b', 'e'], copies.known, hour + 1]);
  });

  it('of a version before holds drafts alone', () => {
    expect(readRecord([draft('a')])).toEqual({ drafts: byTask([draft('a')]), known: nothingKnown, latest: 0 });
    expect(readRecord(undefined).drafts.size).toBe(0);
  });
});
