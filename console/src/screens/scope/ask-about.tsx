/** About what is asked. The kind of the review says by what that is chosen: apps and entitlements, resources, or rules. */
import { violationOf } from '../../data/act.ts';
import { text } from '../../text/text.ts';
import { AppsAndEntitlements } from './apps-and-entitlements.tsx';
import { Clause } from './clause.tsx';
import { ConflictRules } from './conflict-rules.tsx';
import { kindOf } from './kinds.ts';
import type { ClauseProps } from './props.ts';
import { Resources } from './resources.tsx';

export function AskAbout(props: ClauseProps) {
  const { draft, count } = props;
  const kind = kindOf(draft.review);
  return (
    <Clause word={text('scope.askAbout')} count={count} error={violationOf(draft.error, 'multiApp', 'singleApp')}>
      {kind === 'ACCESS_REVIEW_SCOPE_TYPE_BY_ACCESS_CONFLICTS' ? (
        <ConflictRules {...props} />
      ) : kind === 'ACCESS_REVIEW_SCOPE_TYPE_BY_RESOURCE' || kind === 'ACCESS_REVIEW_SCOPE_TYPE_BY_INHERITANCE' ? (
        <Resources {...props} />
      ) : (
        <AppsAndEntitlements {...props} />
      )}
    </Clause>
  );
}
