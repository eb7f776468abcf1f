/** About what is asked. The kind of the review says by what that is chosen: apps and entitlements, resources, or rules. */
import { fieldViolation } from '~/data/act.ts';
import { text } from '~/text/text.ts';
import { AppsAndEntitlements } from './apps-and-entitlements.tsx';
import { Clause } from '~/screens/scope/clause.tsx';
import { ConflictRules } from './conflict-rules.tsx';
import { reviewKind } from './kinds.ts';
import type { ClauseProps } from '~/screens/scope/props.ts';
import { Resources } from './resources.tsx';

export function AskAbout(props: ClauseProps) {
  const { draft, count } = props;
  const kind = reviewKind(draft.review);
  return (
    <Clause word={text('scope.askAbout')} count={count} error={fieldViolation(draft.error, 'multiApp', 'singleApp')}>
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
