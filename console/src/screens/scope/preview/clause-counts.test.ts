/** Grants a clause leaves out, down to the items. */
import { describe, expect, it } from 'vitest';
import { countClauses } from './clause-counts.ts';

describe('what the clauses of a scope leave', () => {
  it('is what was chosen, less what each filter leaves out, down to the items', () => {
    const funnel = [
      { filter: 'NOT_CHOSEN', grants: '48' },
      { filter: 'EXCLUDED_BY_LIST', grants: '2' },
      { filter: 'EXCLUSION_SCOPE', grants: '1' },
      { filter: 'ACCOUNT', grants: '5' },
      { filter: 'USER_CEL', grants: '300' },
      { filter: 'UNOWNED', grants: '12' },
      { filter: 'GRANT', grants: '32' },
      { filter: 'ITEM', grants: '36' },
    ];
    const counts = countClauses({ funnel });
    expect(counts).toEqual({ askAbout: 388, heldBy: -312, through: -5, given: -32, leaveOut: -3, older: 0 });
    expect(Object.values(counts).reduce((sum, one) => sum + one, 0)).toBe(36);
  });

  it('is nothing of a preview without grants', () => {
    expect(countClauses({}).askAbout).toBe(0);
  });
});
