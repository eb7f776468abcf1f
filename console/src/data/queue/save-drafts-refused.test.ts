/** Saving of an open queue's decisions where something ends them: no answer, a refusal, a submission. */
import { describe, expect, it } from 'vitest';
import type { SaveFailure } from './draft-around.ts';
import { isMeant } from './drafts.ts';
import { certify, deny, meant, open, settle, World } from './save-drafts.fixture.ts';

describe('without an answer', () => {
  const outage: SaveFailure = { kind: 'outage', message: 'no answer' };

  it('it is tried again after one second, two, four, up to thirty, and deciding goes on', async () => {
    const { world, box } = await open();
    world.server.failures = Array.from({ length: 7 }, () => outage);
    const waits: number[] = [];
    box.decide([certify('a')]);
    await world.pass(4000);
    for (let round = 0; round < 7; round++) {
      expect(box.saving.state).toBe('device');
      const wait = box.saving.retryAt - world.time;
      waits.push(wait);
      box.decide([certify(`t${round}`)]);
      await world.pass(wait);
    }
    expect(waits).toEqual([1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]);
    expect(world.server.saves.at(-1)).toHaveLength(8);
    expect(box.saving).toMatchObject({ state: 'saved', unsaved: 0 });
  });

  it('says since when decisions are here alone', async () => {
    const { world, box } = await open();
    world.server.failures = [outage, outage];
    const begun = world.time;
    box.decide([certify('a')]);
    await world.pass(4500);
    box.decide([certify('b')]);
    expect(box.saving).toMatchObject({ state: 'device', unsaved: 2, since: begun });
  });

  it('tries at once where that is wanted', async () => {
    const { world, box } = await open();
    world.server.failures = [outage];
    box.decide([certify('a')]);
    await world.pass(4100);
    await box.flush();
    expect(box.saving.state).toBe('saved');
  });
});

describe('a refusal', () => {
  it('of single tasks leaves them beside, and sends the rest', async () => {
    const { world, box } = await open();
    world.server.failures = [{ kind: 'tasks', message: '', tasks: new Map([['a', 'is no task of yours']]) }];
    box.decide([certify('a'), certify('b')]);
    await world.pass(10_000);
    expect(world.server.saves).toMatchObject([[{ taskId: 'b' }]]);
    expect(box.drafts.get('a')).toMatchObject({ choice: 'certify', refused: 'is no task of yours' });
    expect(meant(box)).toEqual(['b']);
  });

  it.each(['signedOut', 'closed'] as const)('%s ends the sending, and keeps what was decided', async (kind) => {
    const { world, box } = await open();
    world.server.failures = [{ kind, message: 'why' }];
    box.decide([certify('a')]);
    await world.pass(60_000);
    expect(box.saving).toMatchObject({ state: kind, unsaved: 1 });
    expect(world.server.saves).toEqual([]);
    expect(world.held).toHaveLength(1);
  });

  it('because somebody was first can be agreed to', async () => {
    const { box } = await open();
    box.decide([certify('a')]);
    box.refuse(['a', 'unknown'], 'Farid was first');
    expect(meant(box)).toEqual([]);
    box.discard('a');
    await settle();
    expect([...box.drafts.values()].filter(isMeant)).toEqual([]);
  });
});

describe('a submission', () => {
  it('takes what was decided out of the drafts, and leaves what was refused with its reason', async () => {
    const { world, box } = await open();
    box.decide([certify('a'), certify('b')]);
    await world.pass(5000);
    box.settle([
      { taskId: 'a', decided: true, message: '' },
      { taskId: 'b', decided: false, message: 'already denied by Farid' },
    ]);
    await settle();
    expect([...box.drafts.values()].filter(isMeant)).toMatchObject([{ taskId: 'b', refused: 'already denied by Farid' }]);
    expect(world.held).toHaveLength(1);
    expect(box.undoLast()).toEqual(['b']);
  });

  it('ends in the other tab, too, which sends nothing of it again', async () => {
    const world = new World();
    const [left, right] = [await open(world), await open(world)];
    left.box.decide([certify('a')]);
    right.box.decide([certify('b')]);
    await world.pass(10_000);
    const { length } = world.server.saves;
    left.box.settle([
      { taskId: 'a', decided: true, message: '' },
      { taskId: 'b', decided: true, message: '' },
    ]);
    await world.pass(60_000);
    expect([meant(left.box), meant(right.box), world.held]).toEqual([[], [], []]);
    expect(world.server.saves).toHaveLength(length);
  });

  it('heard of late by another tab leaves what was decided since', async () => {
    const { world, box } = await open();
    const other = await open(world);
    box.decide([certify('a')]);
    await world.pass(10_000);
    other.box.fallBehind();
    box.settle([{ taskId: 'a', decided: true, message: '' }]);
    box.decide([deny('a')]);
    await world.pass(60_000);
    other.box.catchUp();
    await world.pass(60_000);
    expect([meant(box), meant(other.box), world.server.values.get('a')?.choice]).toEqual([['a'], ['a'], 'deny']);
    expect([box.saving.state, other.box.saving.state]).toEqual(['saved', 'saved']);
  });

  it('whose answer came late leaves nothing staged of what was changed meanwhile and changed back', async () => {
    const { world, box } = await open();
    box.decide([certify('a')]);
    await world.pass(10_000);
    box.submit('key');
    world.server.lost = 1;
    await world.pass(11_000);
    expect([box.submission.phase, world.server.recorded.get('a')]).toEqual(['failed', 'certify']);
    box.decide([deny('a')]);
    await world.pass(10_000);
    expect(world.server.values.get('a')?.choice).toBe('deny');
    box.decide([certify('a')]);
    box.sendSubmission();
    await world.pass(60_000);
    expect([box.submission.phase, [...world.server.values.keys()], box.saving.state]).toEqual(['done', [], 'saved']);
  });

  it('is no longer possible once the review ended', async () => {
    const { box } = await open();
    box.end();
    expect(box.saving.state).toBe('closed');
  });
});
