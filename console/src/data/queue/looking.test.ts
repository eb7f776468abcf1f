/** The time in sight, with a page, a clock and a device of the test's own. */
import { expect, it } from 'vitest';
import { Looking } from './looking.ts';

class World {
  time = 1_000_000;
  isVisible = true;
  kept = 0;
  refuses = false;
  readonly heard = new Set<() => void>();

  looking(): Looking {
    const refuse = (): void => {
      if (this.refuses) {
        throw new Error('no storage');
      }
    };
    const looking = new Looking({
      now: () => this.time,
      isVisible: () => this.isVisible,
      hear: (heard) => {
        this.heard.add(heard);
        return () => this.heard.delete(heard);
      },
      read: async () => {
        refuse();
        return this.kept;
      },
      add: async (ms) => {
        refuse();
        this.kept += ms;
        return this.kept;
      },
      clear: async () => {
        refuse();
        this.kept = 0;
      },
    });
    looking.open();
    return looking;
  }

  async pass(seconds: number): Promise<void> {
    for (let left = seconds; left > 0; left -= 10) {
      this.time += Math.min(10, left) * 1000;
      await this.tick();
    }
  }

  async tick(): Promise<void> {
    for (const heard of this.heard) {
      heard();
    }
    await Promise.resolve();
    await Promise.resolve();
  }

  async show(isVisible: boolean): Promise<void> {
    this.isVisible = isVisible;
    await this.tick();
  }
}

it('counts while the page is in sight, and not while it is not', async () => {
  const world = new World();
  const looking = world.looking();
  await world.pass(65);
  world.time += 4000;
  expect(looking.ms).toBe(69_000);
  await world.show(false);
  await world.pass(600);
  await world.show(true);
  await world.pass(1);
  expect(looking.ms).toBe(70_000);
});

it('goes on after a reload, and begins anew after a submission', async () => {
  const world = new World();
  const first = world.looking();
  await world.pass(32);
  world.time += 3000;
  first.close();
  expect(world.heard.size).toBe(0);
  await world.pass(100);
  const second = world.looking();
  await world.pass(5);
  expect([second.ms, world.kept]).toEqual([40_000, 40_000]);
  second.reset();
  await world.pass(7);
  expect([second.ms, world.kept]).toEqual([7000, 7000]);
});

it('takes a long gap for a device asleep', async () => {
  const world = new World();
  const looking = world.looking();
  world.time += 8 * 3_600_000;
  await world.tick();
  expect(looking.ms).toBe(30_000);
});

it('counts for the visit where nothing can be kept, and what other pages of the same queue count', async () => {
  const world = new World();
  world.refuses = true;
  const alone = world.looking();
  await world.pass(20);
  expect([alone.ms, world.kept]).toEqual([20_000, 0]);
  alone.close();
  world.refuses = false;
  world.kept = 60_000;
  const looking = world.looking();
  await world.tick();
  world.kept += 15_000;
  await world.pass(10);
  expect(looking.ms).toBe(85_000);
});
