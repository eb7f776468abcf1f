/** Items of a review as the table shows them, out of tasks and the objects beside them. */
import { expandedAt } from '../../data/expanded.ts';
import type { ReplyOf } from '../../data/query.ts';

export interface Item {
  readonly id: string;
  readonly person: string;
  readonly personId: string;
  readonly account: string;
  readonly app: string;
  readonly entitlement: string;
  readonly askedIds: readonly string[];
  readonly state: 'undecided' | 'certified' | 'denied' | 'gone';
  readonly isOpen: boolean;
  readonly decidedAt: string | undefined;
}

type Page = ReplyOf<'TaskService.Search'>;

/** The items of a page. */
export function itemsOf({ list, expanded }: Page): Item[] {
  return (list ?? []).map((view) => {
    const task = view.task ?? {};
    const certify = task.type?.certify ?? {};
    const person = expandedAt(expanded, view.identityUserPath);
    const account = expandedAt(expanded, view.appUserPath);
    const entitlement = expandedAt(expanded, view.entitlementsPath);
    return {
      id: task.id ?? '',
      person: person?.displayName || person?.email || '',
      personId: certify.identityUserId ?? '',
      account: account?.displayName || account?.username || account?.email || '',
      app: expandedAt(expanded, view.appPath)?.displayName ?? '',
      entitlement: entitlement?.displayName || task.displayName || '',
      askedIds: task.stepApproverIds ?? [],
      state: stateOf(task.state, certify.outcome),
      isOpen: task.state === 'TASK_STATE_OPEN',
      decidedAt: certify.outcomeTime,
    };
  });
}

function stateOf(state: string | number | undefined, outcome: string | number | undefined): Item['state'] {
  if (state === 'TASK_STATE_OPEN') {
    return 'undecided';
  }
  return outcome === 'CERTIFY_OUTCOME_CERTIFIED' ? 'certified' : outcome === 'CERTIFY_OUTCOME_DECERTIFIED' ? 'denied' : 'gone';
}
