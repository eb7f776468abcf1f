/** The table of sendings is total, and answers of connectors lead where the design says. */
import { describe, expect, it } from 'vitest';
import { countRoom, judgeEnd, listSendingsBefore, openSendings, type SendingEvent, sendingMoves } from './store-states.ts';

const allEvents: readonly SendingEvent[] = ['PLAN', 'PASS', 'LIMIT', 'LEAVE', 'RELEASE', 'SEND', 'AGAIN', 'SUCCEED', 'FAIL', 'OVERTAKE'];
const minutes = (count: number): number => count * 60_000;

describe('states of a sending', () => {
  it.each([
    ['PLAN', ['PLANNED', 'WAITING', 'LIMITED', 'SENT', 'DONE', 'FAILED', 'PEOPLE', 'ENDED'], 'PLANNED'],
    ['PASS', ['PLANNED'], 'WAITING'],
    ['LIMIT', ['PLANNED'], 'LIMITED'],
    ['LEAVE', ['PLANNED', 'WAITING', 'LIMITED', 'SENT'], 'PEOPLE'],
    ['RELEASE', ['LIMITED'], 'WAITING'],
    ['SEND', ['WAITING', 'SENT'], 'SENT'],
    ['AGAIN', ['SENT'], 'WAITING'],
    ['SUCCEED', ['SENT'], 'DONE'],
    ['FAIL', ['SENT'], 'FAILED'],
    ['OVERTAKE', ['PLANNED', 'WAITING', 'LIMITED', 'SENT'], 'ENDED'],
  ] as const)('%s comes from %j and leads to %s, from nowhere else', (event, before, after) => {
    expect(listSendingsBefore(event)).toEqual(before);
    expect(before.map((state) => sendingMoves[state][event])).toEqual(before.map(() => after));
  });

  it('know no other event, and nobody else is asked in those that may be overtaken', () => {
    const known = new Set(Object.values(sendingMoves).flatMap((moves) => Object.keys(moves)));
    expect([...known].sort()).toEqual([...allEvents].sort());
    expect(openSendings).toEqual(['PLANNED', 'WAITING', 'LIMITED', 'SENT']);
  });
});

describe('the answer of a connector', () => {
  it.each([4, 8, 10, 14])('of code %i is tried again after 1, 5 and 25 minutes, and then fails with its words', (code) => {
    const end = { kind: 'ERROR', code, words: 'later' } as const;
    expect([0, 1, 2].map((failures) => judgeEnd(end, failures))).toEqual(
      [1, 5, 25].map((count) => ({ event: 'AGAIN', afterMs: minutes(count) })),
    );
    expect(judgeEnd(end, 3)).toEqual({ event: 'FAIL', words: 'later' });
  });
  it.each([0, 1, 2, 3, 5, 6, 7, 9, 11, 12, 13, 15, 16])('of code %i fails at once', (code) => {
    expect(judgeEnd({ kind: 'ERROR', code, words: 'no' }, 0)).toEqual({ event: 'FAIL', words: 'no' });
  });
  it('that it succeeded ends it, and silence leaves open what became of it', () => {
    expect(judgeEnd({ kind: 'SUCCESS', wasGone: true }, 2)).toEqual({ event: 'SUCCEED' });
    expect(judgeEnd({ kind: 'SILENT' }, 0)).toEqual({ event: 'FAIL', words: expect.stringContaining('may have been removed') });
  });
});

describe('the limits of a source', () => {
  it.each([
    // Hourly, sent in the hour, sent in the day, reported: room.
    [20, 0, 0, 1000, 20],
    [20, 20, 20, 1000, 0],
    [20, 5, 5, 1000, 15],
    [20, 0, 45, 1000, 5],
    [20, 0, 50, 1000, 0],
    [20, 0, 0, 30, 1],
    [20, 1, 1, 30, 0],
    [20, 0, 0, 0, 1],
    [5, 30, 60, 1000, 0],
  ])('of %i an hour, with %i in the hour and %i in the day of %i grants leave room for %i', (hourly, hour, day, held, room) => {
    expect(countRoom(hourly, { hour, day, held })).toBe(room);
  });
});
