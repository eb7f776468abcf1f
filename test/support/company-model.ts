/**
 * A company whose people join, leave, come back, rename, and take over addresses and user names. Who somebody really is stands here alone: the server sees
 * what sources say.
 */
import fc from 'fast-check';
import type { TestPerson } from './server.ts';

/** Somebody as they really are. */
export interface Human {
  readonly no: number;
  readonly employeeId: string;
  address: string;
  userName: string;
  name: string;
  isHere: boolean;
  /** In the provider: the SCIM id, and whether it is active. */
  scimId: string;
  /** Addresses and user names that were theirs at any time. */
  readonly had: Set<string>;
  /** What they were given and have still: nothing, once they left. */
  holds: { readonly userId: string; readonly person: TestPerson } | undefined;
  /** What they were given before they left. */
  readonly suspended: TestPerson[];
  /** What of that they were given back, beside what they hold. */
  readonly restored: TestPerson[];
  /** An administrator erred: they are two people. */
  isTwo: boolean;
  /** Times that the sources were heard since they left. */
  roundsGone: number;
}

/** Something that happens to the company. */
export type Step =
  | { readonly kind: 'join' | 'joinRecycled' | 'leave' | 'return' | 'rename' | 'readdress' | 'rename user'; readonly at: number }
  | { readonly kind: 'swap' | 'round'; readonly at: number; readonly with: number };

/** The steps between two moments at which the sources are heard, and how they are. */
export interface Round {
  readonly steps: readonly Step[];
  readonly isFirst: boolean;
  readonly deletes: boolean;
  readonly isReversed: boolean;
  readonly gives: number;
  /** Those who are back get what they had. */
  readonly restores: boolean;
  /** An administrator says of the first thing asked what is wrong. */
  readonly errs: 'no' | 'new person' | 'another person';
  /** Those who became two by that are made one. */
  readonly merges: boolean;
  /** A review is decided by somebody who is there: the number among them. */
  readonly decides: number | undefined;
  /** The provider did not hear yet who left. */
  readonly isLate: boolean;
  /** How each door is reported. */
  readonly doors: readonly Shown[];
}

/** Ways in which a file has access whose removal was asked for. */
const shown = ['as it was', 'decomposed', 'with spaces', 'in capitals', 'account in capitals', 'wide', 'not'] as const;
export type Shown = (typeof shown)[number];

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    kind: fc.constantFrom('join', 'joinRecycled', 'joinRecycled', 'leave', 'leave', 'return', 'rename', 'readdress', 'rename user'),
    at: fc.nat(9999),
  }),
  fc.record({ kind: fc.constantFrom('swap', 'round'), at: fc.nat(9999), with: fc.nat(9999) }),
) as fc.Arbitrary<Step>;

/** Rounds of a history. */
export const roundsOf = (
  rounds: { minLength: number; maxLength: number },
  steps: { minLength: number; maxLength: number },
): fc.Arbitrary<Round[]> =>
  fc.array(
    fc.record({
      steps: fc.array(step, steps),
      isFirst: fc.boolean(),
      deletes: fc.boolean(),
      isReversed: fc.boolean(),
      gives: fc.nat(9999),
      restores: fc.constantFrom(true, true, false),
      errs: fc.constantFrom('no', 'new person', 'another person'),
      merges: fc.boolean(),
      decides: fc.option(fc.nat(9999), { nil: undefined, freq: 2 }),
      isLate: fc.boolean(),
      doors: fc.array(fc.constantFrom(...shown), { minLength: 6, maxLength: 6 }),
    }),
    rounds,
  );

/** The people of a company. */
export class Company {
  readonly humans: Human[] = [];
  /** Addresses and user names of those who left, and those of them who left just now. */
  private readonly free: { address: string; userName: string }[] = [];
  private readonly freeSoon: { address: string; userName: string }[] = [];
  private count = 0;

  /** Lets what leavers had be given again. */
  ripen(): void {
    this.free.push(...this.freeSoon.splice(0));
  }

  /** True if nobody left this user name to others, or somebody has it by now. */
  isNameTaken(userName: string): boolean {
    return this.free.every((left) => left.userName !== userName);
  }

  join(recycled?: { address: string; userName: string }): void {
    const no = this.humans.length + 1;
    const address = recycled?.address ?? `a${no}@h.test`;
    const userName = recycled?.userName ?? `u${no}`;
    const human: Human = {
      no,
      employeeId: `E${no}`,
      address,
      userName,
      name: `Human ${no}`,
      isHere: true,
      scimId: '',
      had: new Set([address, userName]),
      holds: undefined,
      suspended: [],
      restored: [],
      isTwo: false,
      roundsGone: 0,
    };
    this.humans.push(human);
  }

  take(one: Step): void {
    const here = this.humans.filter((human) => human.isHere);
    const gone = this.humans.filter((human) => !human.isHere);
    const pick = (list: readonly Human[], at: number): Human | undefined => list[at % Math.max(1, list.length)];
    const human = pick(here, one.at);
    const now = (who: Human, has: Partial<Pick<Human, 'address' | 'userName'>>): void => {
      Object.assign(who, has);
      who.had.add(who.address).add(who.userName);
    };
    switch (one.kind) {
      case 'join':
        this.join();
        break;
      case 'joinRecycled':
        this.join(this.free.splice(one.at % Math.max(1, this.free.length), 1)[0]);
        break;
      case 'leave':
        if (human !== undefined && here.length > 4) {
          human.isHere = false;
          human.roundsGone = 0;
          // Mostly, an address is given again once the sources told that its holder left; now and then at once.
          (one.at % 5 === 0 ? this.free : this.freeSoon).push({ address: human.address, userName: human.userName });
        }
        break;
      case 'return': {
        const back = pick(gone, one.at);
        if (back !== undefined) {
          back.isHere = true;
          const list = [this.free, this.freeSoon].find((all) => all.some((left) => left.address === back.address));
          if (list === undefined) {
            now(back, { address: `b${++this.count}@h.test`, userName: `r${this.count}` });
          } else {
            list.splice(
              list.findIndex((left) => left.address === back.address),
              1,
            );
          }
        }
        break;
      }
      case 'rename':
        if (human !== undefined) {
          human.name = `${human.name.split(' née ')[0]} née ${one.at}`;
        }
        break;
      case 'readdress':
        if (human !== undefined) {
          now(human, { address: `n${++this.count}@h.test` });
        }
        break;
      case 'rename user':
        if (human !== undefined) {
          now(human, { userName: `v${++this.count}` });
        }
        break;
      case 'swap':
      case 'round': {
        const others = one.kind === 'swap' ? [pick(here, one.with)] : [pick(here, one.with), pick(here, one.with + 1)];
        const all = [...new Set([human, ...others].filter((who) => who !== undefined))];
        const addresses = all.map((who) => who.address);
        for (const [at, who] of all.entries()) {
          now(who, { address: addresses[(at + 1) % all.length] ?? who.address });
        }
        break;
      }
    }
  }
}
