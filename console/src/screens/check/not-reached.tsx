/** Whom a review asks although nobody tells them, or they cannot sign in, and what to do about it. */
import { Link } from '@tanstack/react-router';
import { Copy } from '~/parts/controls/copy.tsx';
import { Note } from '~/parts/states/note.tsx';
import { count } from '~/data/count.ts';
import type { Preview } from '~/data/reviews/review.ts';
import { useMay, useSession } from '~/data/session/session.ts';
import { text } from '~/text/text.ts';
import { without } from './reason.ts';

interface NotReachedProps {
  readonly reviewId: string;
  readonly preview: Preview;
  /** True if they are told by mail that it starts. */
  readonly isTold: boolean;
}

export function NotReached({ reviewId, preview, isTold }: NotReachedProps) {
  const me = useSession()?.userId;
  const maySetUp = useMay('settings.write');
  const reach = preview.reach ?? {};
  const others = without(preview, me);
  return (
    <>
      {isTold || others.count === 0 ? null : (
        <Note kind="warn">
          {text(reach.sendsMail === true ? 'check.nobodyTold' : 'check.noMail')}
          <Copy shown label={text('check.linkOfReview')} value={`${window.location.origin}/r/${reviewId}`} />
        </Note>
      )}
      {reach.signsIn === true || others.count === 0 ? null : (
        <Note kind="warn">
          {text('check.cannotSignIn', others)} {maySetUp ? <Link to="/settings/tenant/providers">{text('check.toProviders')}</Link> : null}
        </Note>
      )}
      {reach.signsIn === true && count(reach.withoutAddress) > 0 ? (
        <Note kind="warn">
          {text('check.noAddress', { count: count(reach.withoutAddress), names: (reach.withoutAddressNames ?? []).join(', ') })}
        </Note>
      ) : null}
    </>
  );
}
