/** Actions of an administrator on items of a review beside deciding them, and whether each needs a reason. */
import { call } from '~/data/query.ts';
import type { PlainTextKey, TextKey } from '~/text/text.ts';
import type { Item } from '~/app/reviews/item.ts';

export type TaskAction = 'restart' | 'reset' | 'skip' | 'cancel' | 'remind';

interface ActionWords {
  /** In a menu. */
  readonly label: PlainTextKey;
  /** The title and the button of its dialog, with the number of items. */
  readonly title: TextKey & `review.act${string}Count`;
  /** Its effect. */
  readonly words: PlainTextKey;
  readonly needsReason: boolean;
}

export const actionWords: Readonly<Record<TaskAction, ActionWords>> = {
  remind: { label: 'review.actRemind', title: 'review.actRemindCount', words: 'review.actRemindWords', needsReason: false },
  skip: { label: 'review.actSkip', title: 'review.actSkipCount', words: 'review.actSkipWords', needsReason: true },
  restart: { label: 'review.actRestart', title: 'review.actRestartCount', words: 'review.actRestartWords', needsReason: false },
  reset: { label: 'review.actReset', title: 'review.actResetCount', words: 'review.actResetWords', needsReason: false },
  cancel: { label: 'review.actCancel', title: 'review.actCancelCount', words: 'review.actCancelWords', needsReason: true },
};

/** Lists actions on an item in its state; cancelling is for Super Administrators. */
export function actionsFor(item: Pick<Item, 'isOpen' | 'state'>, isSuper: boolean): readonly TaskAction[] {
  if (item.isOpen) {
    return ['remind', 'skip', 'restart', 'reset', ...(isSuper ? (['cancel'] as const) : [])];
  }
  return item.state === 'gone' ? [] : ['restart', 'reset'];
}

/** Does it to one item. */
export async function actOn(action: TaskAction, taskId: string, comment: string): Promise<void> {
  switch (action) {
    case 'remind':
      await call('CertifyTaskService.Remind', { taskId });
      return;
    case 'skip':
      await call('TaskActionsService.SkipStep', { taskId, comment });
      return;
    case 'restart':
      await call('TaskActionsService.Restart', { taskId, comment });
      return;
    case 'reset':
      await call('TaskActionsService.HardReset', { taskId, comment });
      return;
    case 'cancel':
      await call('TaskActionsService.Close', { taskId, comment });
  }
}
