import { describe, expect, it } from 'vitest';
import type { Signature } from '~/data/reviews/signature.ts';
import { listLastWaiting } from './last-waiting.ts';

const one = (
  id: string,
  userId: string,
  state: 'PREPARED' | 'SIGNED',
  kind: 'SUBMISSION' | 'ACKNOWLEDGEMENT' = 'SUBMISSION',
): Signature => ({
  id,
  userId,
  state: `SIGNATURE_STATE_${state}`,
  kind: `SIGNATURE_KIND_${kind}`,
});
const idsOf = (waiting: readonly Signature[], signed: readonly Signature[] = []) => listLastWaiting(waiting, signed).map(({ id }) => id);

describe('what waits for a signature', () => {
  it('is what each person submitted last', () => {
    expect(idsOf([one('1', 'elif', 'PREPARED'), one('2', 'elif', 'PREPARED'), one('3', 'farid', 'PREPARED')])).toEqual(['2', '3']);
  });

  it('is nothing that was left before something later was signed', () => {
    expect(
      idsOf([one('1', 'elif', 'PREPARED'), one('4', 'farid', 'PREPARED')], [one('2', 'elif', 'SIGNED'), one('3', 'farid', 'SIGNED')]),
    ).toEqual(['4']);
  });

  it('is no acknowledgement', () => {
    expect(idsOf([one('1', 'elif', 'PREPARED', 'ACKNOWLEDGEMENT')])).toEqual([]);
  });
});
