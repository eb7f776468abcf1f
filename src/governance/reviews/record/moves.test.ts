/** The table of moves, cell by cell: which are carried out, which are so already, and that each refusal says where it stands and what is possible. */
import { describe, expect, it } from 'vitest';
import type { Stage } from './changeable.ts';
import { judgeMove, type Move, namePossible } from './moves.ts';

/** As the life of a review was decided: + carried out, = already so, - refused; stages in the order of `stages`. */
const stages: readonly Stage[] = ['DRAFT', 'PREPARING', 'REVIEW', 'PENDING', 'STARTING', 'OPEN', 'CLOSING', 'CLOSED'];
const expected: Readonly<Record<Move, string>> = {
  prepare: '+=------',
  start: '--++==--',
  close: '-----+==',
  reset: '-+++----',
  remind: '-----+--',
  acknowledge: '-----+-=',
};

describe('moves of a review', () => {
  const cells = (Object.keys(expected) as Move[]).flatMap((move) =>
    stages.map((stage, index) => [move, stage, expected[move][index]] as const),
  );
  it.each(cells)('%s in %s: %s', (move, stage, sign) => {
    if (sign === '-') {
      expect(() => judgeMove(move, stage)).toThrowError(
        expect.objectContaining({ code: 'FAILED_PRECONDITION', message: expect.stringContaining('ACCESS_REVIEW_STATE_') }),
      );
      expect(() => judgeMove(move, stage)).toThrowError(namePossible(stage));
    } else {
      expect(judgeMove(move, stage)).toBe(sign === '+' ? 'do' : 'already');
    }
  });

  it('names what is possible', () => {
    expect(namePossible('REVIEW')).toBe('Possible from there: start, reset');
    expect(namePossible('CLOSED')).toBe('No other move is possible from there');
  });
});
