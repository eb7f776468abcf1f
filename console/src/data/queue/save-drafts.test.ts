/** Saving of an open queue's decisions: when they are sent, taken back, and kept on the device. */
import { describe, expect, it } from 'vitest';
import { maxAtOnce } from './drafts.ts';
import { certify, deny, meant, open, settle, World } from './save-drafts.fixture.ts';

describe('sending', () => {
  it('takes decisions of two seconds together', async () => {
    const { world, box } = await open();
    box.decide([certify('a')]);
    await world.pass(1000);
    box.decide([certify('b')]);
    expect(box.saving).toMatchObject({ state: 'waiting', unsaved: 2 });
    await world.pass(900);
    expect(world.server.saves).toEqual([]);
    await world.pass(200);
    expect(world.server.saves.map((one) => one.map(({ taskId }) => taskId))).toEqual([['a', 'b']]);
    expect(box.saving).toMatchObject({ state: 'saved', unsaved: 0 });
  });

  it('waits a little longer with a single one', async () => {
    const { world, box } = await open();
    box.decide([certify('a')]);
    await world.pass(3900);
    expect(world.server.saves).toHaveLength(0);
    await world.pass(200);
    expect(world.server.saves).toHaveLength(1);
  });

  it('sends twenty at once', async () => {
    const { world, box } = await open();
    for (let made = 0; made < 20; made++) {
      box.decide([certify(`t${made}`)]);
    }
    await world.pass(1);
    expect(world.server.saves.map(({ length }) => length)).toEqual([20]);
  });

  it('makes thirty requests at most of sixty decisions, however fast they come', async () => {
    for (const pace of [30, 400, 1100, 2500]) {
      const { world, box } = await open();
      for (let made = 0; made < 60; made++) {
        box.decide([certify(`t${made}`)]);
        await world.pass(pace);
      }
      await world.pass(10_000);
      expect(world.server.saves.length, `one each ${pace} ms`).toBeLessThanOrEqual(31);
      expect(world.server.saves.at(-1)).toHaveLength(60);
    }
  });

  it('sends the whole list each time, so that what was taken back is gone there', async () => {
    const { world, box } = await open();
    box.decide([certify('a'), certify('b')]);
    await world.pass(5000);
    box.undo('a');
    await world.pass(5000);
    expect(world.server.saves.map((one) => one.map(({ taskId }) => taskId))).toEqual([['a', 'b'], ['b']]);
    expect(meant(box)).toEqual(['b']);
  });

  it('says what stays on this device because the server holds no more, and does not try for ever', async () => {
    const { world, box } = await open();
    box.decide(Array.from({ length: maxAtOnce + 7 }, (_, index) => certify(`t${index}`)));
    await world.pass(60_000);
    expect(world.server.saves).toHaveLength(1);
    expect(box.saving).toMatchObject({ state: 'saved', unsaved: 7 });
  });
});

it('sends again soon what failed, whatever clock is set meanwhile', async () => {
  const { world, box } = await open();
  world.server.failures = [{ kind: 'outage', message: '' }];
  box.decide([certify('a')]);
  box.submit('key');
  await world.pass(0);
  expect(box.saving).toMatchObject({ state: 'device', unsaved: 1 });
  world.skew = -3_600_000;
  box.undoLast();
  await world.pass(30_000);
  expect(box.saving).toMatchObject({ state: 'saved', unsaved: 0 });
});

describe('taking back', () => {
  it('goes step by step, several decisions of one step together', async () => {
    const { box } = await open();
    box.decide([certify('a')]);
    box.decide([certify('b'), certify('c')]);
    expect(box.undoLast()).toEqual(['b', 'c']);
    expect(meant(box)).toEqual(['a']);
    expect(box.undoLast()).toEqual(['a']);
    expect(box.undoLast()).toEqual([]);
  });

  it('brings back what was decided before', async () => {
    const { box } = await open();
    box.decide([certify('a')]);
    box.decide([deny('a')]);
    box.undoLast();
    expect(box.drafts.get('a')).toMatchObject({ choice: 'certify', comment: '' });
  });

  it('to what the server had is not saved while another decision is on its way, or its answer is lost', async () => {
    const { world, box } = await open();
    box.decide([certify('a')]);
    await box.flush();
    box.decide([deny('a')]);
    world.server.lost = 1;
    await box.flush();
    box.undoLast();
    expect(world.server.values.get('a')?.choice).toBe('deny');
    expect(box.saving.unsaved).toBe(1);
    await world.pass(60_000);
    expect(world.server.values.get('a')?.choice).toBe('certify');
    expect(box.saving.unsaved).toBe(0);
  });

  it('of what was taken back is not saved while that is on its way, or its answer is lost, after a reload neither', async () => {
    const { world, box } = await open();
    box.decide([certify('a')]);
    await box.flush();
    box.undo('a');
    world.server.lost = 1;
    await box.flush();
    box.undoLast();
    await world.pass(0);
    expect(world.server.values.has('a')).toBe(false);
    expect(box.saving.unsaved).toBe(1);
    box.crash();
    world.server.listFails = true;
    const later = world.box();
    await later.open();
    expect(later.saving.unsaved).toBe(1);
    world.server.listFails = false;
    await world.pass(60_000);
    expect(world.server.values.get('a')?.choice).toBe('certify');
    expect(later.saving.unsaved).toBe(0);
  });

  it('holds for a tab that heard nothing of it, when that is closed', async () => {
    const { world, box } = await open();
    const other = await open(world);
    box.decide([certify('a')]);
    box.fallBehind();
    other.box.undo('a');
    await world.pass(0);
    box.close();
    await world.pass(0);
    const later = await open(world);
    await world.pass(60_000);
    expect([[...world.server.values.keys()], meant(other.box), meant(later.box)]).toEqual([[], [], []]);
  });

  it('of one task is a step, too', async () => {
    const { box } = await open();
    box.decide([deny('a')]);
    expect(box.undo('a')).toBe(true);
    expect(box.undo('a')).toBe(false);
    box.undoLast();
    expect(box.drafts.get('a')).toMatchObject({ choice: 'deny' });
  });

  it('goes on behind this visit, the newest first', async () => {
    const world = new World();
    const first = await open(world);
    first.box.decide([certify('a')]);
    world.time += 10;
    first.box.decide([certify('b')]);
    await settle();
    first.box.close();
    world.server.listFails = true;
    const { box } = await open(world);
    expect(box.undoLast()).toEqual(['b']);
    expect(meant(box)).toEqual(['a']);
  });
});

describe('this device', () => {
  it('keeps what was decided before it is sent', async () => {
    const { world, box } = await open();
    box.decide([deny('a')]);
    await settle();
    expect(world.held).toMatchObject([{ taskId: 'a', choice: 'deny' }]);
  });

  it('brings it back without the server, and sends it when that answers', async () => {
    const world = new World();
    const first = await open(world);
    first.box.decide([deny('a')]);
    await settle();
    world.server.failures = [{ kind: 'outage', message: '' }];
    first.box.close();
    await world.pass(60_000);
    expect(world.server.saves).toEqual([]);
    world.server.listFails = true;
    const { box } = await open(world);
    expect(meant(box)).toEqual(['a']);
    await world.pass(10_000);
    expect(world.server.saves).toMatchObject([[{ taskId: 'a' }]]);
  });

  it('sends what waits when the page is left, what was taken back too, and nothing behind that', async () => {
    const { world, box } = await open();
    box.decide([certify('a'), certify('b')]);
    await world.pass(10_000);
    expect(world.server.saves).toHaveLength(1);
    box.undo('b');
    box.close();
    await settle();
    expect(world.server.saves).toHaveLength(2);
    await world.pass(60_000);
    expect(world.server.saves).toHaveLength(2);
  });

  it('takes what the server holds from another device', async () => {
    const world = new World();
    world.server.put([deny('a')]);
    const { box } = await open(world);
    expect(meant(box)).toEqual(['a']);
    expect(box.saving).toMatchObject({ state: 'saved', unsaved: 0 });
  });

  it('is written by two tabs without either losing anything', async () => {
    const world = new World();
    const [left, right] = [await open(world), await open(world)];
    left.box.decide([certify('a')]);
    right.box.decide([certify('b')]);
    await settle();
    expect(world.held.map(({ taskId }) => taskId).sort()).toEqual(['a', 'b']);
    expect([meant(left.box).sort(), meant(right.box).sort()]).toEqual([
      ['a', 'b'],
      ['a', 'b'],
    ]);
  });
});
