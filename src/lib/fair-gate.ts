/**
 * A gate that lets so much work in at once, and of each group and each member of a group no more than a share of it. Who waits comes in turn:
 * groups one after the other, in each its members one after the other, of each member the one that came first. What is behind the gate is not
 * here.
 */

/** Most work let in at once, and most that may wait. */
export interface GateLimits {
  readonly total: number;
  readonly perGroup: number;
  readonly perMember: number;
  /** Waiting of one member, and of all together; more is refused. */
  readonly mostWaitingPerMember: number;
  readonly mostWaiting: number;
}

/** Reason work was not let in: its member has too much waiting, everybody together has, or whoever wanted it left. */
export type GateRefusal = 'MEMBER_FULL' | 'FULL' | 'LEFT';

/** Thrown in place of work that is not let in. */
export class GateRefused extends Error {
  override readonly name = 'GateRefused';
  readonly reason: GateRefusal;

  constructor(reason: GateRefusal) {
    super(`not let in: ${reason}`);
    this.reason = reason;
  }
}

/** A gate. */
export interface FairGate {
  /** Does the work once it is let in. Rejects with GateRefused where it is not, also when what `gone` gives is aborted while it waits. */
  run<T>(group: string, member: string, gone: () => AbortSignal, work: () => Promise<T>): Promise<T>;
  stats(): { readonly working: number; readonly waiting: number };
}

interface Member {
  working: number;
  readonly waiting: Set<() => void>;
}

interface Group {
  working: number;
  readonly members: Map<string, Member>;
}

/** Puts an entry of a map behind the others. */
function moveBack<Value>(map: Map<string, Value>, key: string, value: Value): void {
  map.delete(key);
  map.set(key, value);
}

/** Makes a gate. Groups and members without work are forgotten. */
export function createFairGate(limits: GateLimits): FairGate {
  const groups = new Map<string, Group>();
  let working = 0;
  let waiting = 0;

  function placeOf(groupName: string, memberName: string): { group: Group; member: Member } {
    const group = groups.get(groupName) ?? { working: 0, members: new Map<string, Member>() };
    groups.set(groupName, group);
    const member = group.members.get(memberName) ?? { working: 0, waiting: new Set<() => void>() };
    group.members.set(memberName, member);
    return { group, member };
  }

  function isFree(group: Group, member: Member): boolean {
    return working < limits.total && group.working < limits.perGroup && member.working < limits.perMember;
  }

  function count(group: Group, member: Member, by: 1 | -1): void {
    working += by;
    group.working += by;
    member.working += by;
  }

  function forget(groupName: string, memberName: string): void {
    const group = groups.get(groupName);
    const member = group?.members.get(memberName);
    if (member?.working === 0 && member.waiting.size === 0) {
      group?.members.delete(memberName);
    }
    if (group?.members.size === 0) {
      groups.delete(groupName);
    }
  }

  /** Lets in the next that waits and may come in; whether there was one. */
  function letNext(): boolean {
    for (const [groupName, group] of groups) {
      for (const [memberName, member] of group.members) {
        const [next] = member.waiting;
        if (next !== undefined && isFree(group, member)) {
          member.waiting.delete(next);
          waiting -= 1;
          count(group, member, 1);
          moveBack(groups, groupName, group);
          moveBack(group.members, memberName, member);
          next();
          return true;
        }
      }
    }
    return false;
  }

  async function enter(groupName: string, memberName: string, gone: () => AbortSignal): Promise<void> {
    const { group, member } = placeOf(groupName, memberName);
    // Nobody waits whom there is a place for, so whoever finds one overtakes nobody.
    if (isFree(group, member)) {
      count(group, member, 1);
      return;
    }
    if (member.waiting.size >= limits.mostWaitingPerMember || waiting >= limits.mostWaiting) {
      const reason = member.waiting.size >= limits.mostWaitingPerMember ? 'MEMBER_FULL' : 'FULL';
      forget(groupName, memberName);
      throw new GateRefused(reason);
    }
    const signal = gone();
    await new Promise<void>((resolve, reject) => {
      const leave = (): void => {
        if (member.waiting.delete(letIn)) {
          waiting -= 1;
          forget(groupName, memberName);
          reject(new GateRefused('LEFT'));
        }
      };
      const letIn = (): void => {
        signal.removeEventListener('abort', leave);
        resolve();
      };
      member.waiting.add(letIn);
      waiting += 1;
      signal.addEventListener('abort', leave, { once: true });
      if (signal.aborted) {
        leave();
      }
    });
  }

  return {
    async run(groupName, memberName, gone, work) {
      await enter(groupName, memberName, gone);
      const { group, member } = placeOf(groupName, memberName);
      try {
        return await work();
      } finally {
        count(group, member, -1);
        forget(groupName, memberName);
        while (letNext());
      }
    },
    stats: () => ({ working, waiting }),
  };
}
