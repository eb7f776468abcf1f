/** Issuers of what people acted through, beside each step of a removal: of that step alone, whoever made the one before or the one after. */
import { expect, it } from 'vitest';
import { june, useRemovals } from '../../../test/support/removals.ts';
import { claimRemoval, getRevocation, retryRemoval } from './act.ts';
import { listChanges, updateState } from './record/index.ts';
import { describeRemoval } from './record/view.ts';

const removals = useRemovals(['ann', 'bob', 'cyn', 'dan', 'eve']);
const all = ['ann pay', 'bob x', 'cyn x', 'dan x', 'eve x'];
const issuedBy = (issuerId: string, now: Date) => removals.by(removals.at(now), { kind: 'issued_session', issuerId });
const db = () => removals.test.ours.system.db;
const tenant = () => removals.test.ours.tenant.id;
const boss = () => removals.test.ours.admin.actor.userId;

/** The states of a removal with whoever issued what each came through. */
async function stepsOf(id: string): Promise<string[]> {
  const context = removals.at(june(28));
  const history = await listChanges(context, id);
  const { state, actorIssuerId } = await getRevocation(context, id);
  expect(history.at(-1)).toMatchObject({ state, actorIssuerId });
  return history.map((one) => `${one.state} ${one.actorIssuerId}`.trim());
}

/** Decides a task as somebody, through what somebody else issued. */
async function decide(taskId: string, outcome: string, now: Date, by: string, issuer: string | null): Promise<void> {
  await db().run(
    `UPDATE tasks SET state = 'CLOSED', outcome = $3, end_reason = 'DECIDED', decided_by_id = $4, decided_issuer_id = $5, ended_at = $6, updated_at = $6
     WHERE tenant_id = $1 AND id = $2`,
    [tenant(), taskId, outcome, by, issuer, now],
  );
}

it('are not inherited by another person, nor by oneself without one', async () => {
  await removals.file('Acts', all, june(1));
  const id = await removals.request('Acts', 'ann', 'pay', june(5));
  const issuer = (await removals.find('Acts', 'bob', 'x')).userId ?? '';
  await updateState(issuedBy(issuer, june(6)), id, 'IN_PROGRESS', { state: 'ERROR', note: 'no connection' });
  await retryRemoval(removals.at(june(7)), id, '');
  await claimRemoval(issuedBy(issuer, june(8)), id, '');
  expect(await stepsOf(id)).toEqual(['HELD', 'REQUESTED', 'IN_PROGRESS', `ERROR ${issuer}`, 'IN_PROGRESS', `CLAIMED ${issuer}`]);
  expect(describeRemoval(await getRevocation(removals.at(june(8)), id))).toBe(
    'said removed by Ada Admin (access issued by bob), not verified',
  );
});

it('stand with each denial, also where the task was decided otherwise since', async () => {
  await removals.file('Denials', all, june(1));
  const { userId: issuer } = await removals.find('Denials', 'bob', 'x');
  const id = await removals.deny('Denials', 'ann', 'pay', june(5));
  await decide(id, 'CERTIFIED', june(6), boss(), issuer);
  await decide(id, 'DECERTIFIED', june(7), boss(), issuer);
  await decide(id, 'CERTIFIED', june(8), boss(), null);
  expect(await stepsOf(id)).toEqual(['HELD', `CANCELLED ${issuer}`]);
  expect(await stepsOf(`${id}-1`)).toEqual([`HELD ${issuer}`, 'CANCELLED']);
  const context = removals.at(june(8));
  expect(await getRevocation(context, id)).toMatchObject({ reviewerIssuerId: '', reviewerIssuerName: '' });
  expect(await getRevocation(context, `${id}-1`)).toMatchObject({
    reviewerId: boss(),
    reviewerIssuerId: issuer,
    reviewerIssuerName: 'bob',
  });
});

it('are no issuers of oneself', async () => {
  await removals.file('Self', all, june(1));
  const id = await removals.request('Self', 'ann', 'pay', june(5));
  await claimRemoval(issuedBy(boss(), june(6)), id, '');
  expect(await getRevocation(removals.at(june(6)), id)).toMatchObject({ claimedIssuerId: '', claimedIssuerName: '', actorIssuerId: '' });
});

it('of nobody are refused by the database, so that no change by the program can keep one', async () => {
  await removals.file('Nobody', all, june(1));
  const id = await removals.request('Nobody', 'ann', 'pay', june(5));
  const keep = db().run(`UPDATE revocations SET actor_issuer_id = $3 WHERE tenant_id = $1 AND id = $2`, [tenant(), id, boss()]);
  await expect(keep).rejects.toMatchObject({ cause: { constraint: 'revocations_issuer_of_actor' } });
});
