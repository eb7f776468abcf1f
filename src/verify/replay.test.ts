/** Verdicts worked out anew: bundles whose maker has every key and makes every hash, sum and seal fit, and lies in the verdicts alone. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { type MadeBundle, makeBundle } from '../../test/support/made-bundle.ts';
import { madeScope } from '../../test/support/made-rows.ts';
import { askSecondVerifier } from '../../test/support/second-verifier.ts';
import { verifyBundle } from './index.ts';

const folder = mkdtempSync(join(tmpdir(), 'bundle-replay-'));
const path = join(folder, 'made.zip');

afterAll(() => {
  rmSync(folder, { recursive: true });
});

async function verified(made: Partial<MadeBundle>) {
  const { vkey } = await makeBundle(path, { accounts: 40, each: 5, together: 50, ...made });
  return verifyBundle(path, { key: Buffer.from(`${vkey}\n`) });
}

it('finds the verdicts that the rules give', async () => {
  const { verdict, findings, shown, believed } = await verified({});
  expect({ verdict, findings }).toEqual({ verdict: 'holds', findings: [] });
  expect(shown).toContain('The rules of the review give the verdict on 200 grants that the bundle has, worked out anew.');
  expect(believed.join(' ')).not.toContain('review.json');
  expect(askSecondVerifier(path, '--key', join(folder, 'none')).status).toBe(2);
  expect(askSecondVerifier(path).stdout).toContain('The bundle holds.');
});

it.each([
  ['leaves a grant out', 41, 'EXCLUSION_SCOPE', 'Its verdict is EXCLUSION_SCOPE, and the rules of the review give IN.'],
  ['takes one in', 12, 'IN', 'Its verdict is IN, and the rules of the review give EXCLUSION_SCOPE.'],
  ['gives another reason', 16, 'GRANT_FILTER', 'Its verdict is GRANT_FILTER, and the rules of the review give USER_FILTER.'],
])('finds a verdict that %s, though all sums and hashes fit', async (_, number, lie, sentence) => {
  const { verdict, findings } = await verified({ lie: (grant, verdict) => (grant === number ? lie : verdict) });
  expect(verdict).toBe('broken');
  expect(findings).toEqual([{ file: 'population/grants.jsonl', line: number + 1, sentence }]);
});

it('finds a scope that was written anew to fit forged verdicts', async () => {
  const { findings } = await verified({
    lie: (_, verdict) => (verdict === 'IN' ? 'EXCLUSION_SCOPE' : verdict),
    otherScope: { exclusionScope: { appUserStatuses: ['DISABLED', 'ENABLED'] }, scopeV2: madeScope.scopeV2 },
  });
  expect(findings).toEqual([
    { file: 'review.json', line: undefined, sentence: 'Its scope is not the one that was logged when the review was prepared.' },
  ]);
  expect(askSecondVerifier(path).stdout).toContain('DOES NOT HOLD: review.json: its scope is not the one that was logged');
});

it('does not choke on a scope of anything', async () => {
  const odd = {
    scopeV2: { userCriteria: { multiUserProfileAttributes: { a: null }, userStatus: [7], managerUserIds: 'x' }, accountCriteria: 7 },
  };
  const { findings } = await verified({ otherScope: { ...odd, exclusionScope: [null], scope: { appUserTypes: [{}] } } });
  expect(findings.map(({ file }) => file)).toContain('review.json');
});
