/** The first step of a review: its name. From then on it is a draft, which is kept as one writes. */
import { Link, useNavigate } from '@tanstack/react-router';
import { Form } from '~/app/forms/form.tsx';
import { useForm } from '~/app/forms/use-form.ts';
import { Page } from '~/app/page.tsx';
import { Note } from '~/parts/states/note.tsx';
import { RadioGroup } from '~/parts/controls/radio-group.tsx';
import { TextArea } from '~/parts/fields/text-area.tsx';
import { TextField } from '~/parts/fields/text-field.tsx';
import { call } from '~/data/query.ts';
import { useAppNames, useNames } from '~/data/names.ts';
import { choicesOf } from '~/parts/controls/choices-of.ts';
import { text } from '~/text/text.ts';
import styles from './edit.module.css';
import { kindHints, kindNames, kindScope, mayName, reviewKind } from './about/kinds.ts';
import { newReviewRoute } from './route.tsx';

export function NewReviewPage() {
  const { app, person } = newReviewRoute.useSearch();
  const appName = useAppNames([app]).get(app ?? '');
  const personName = useNames([person]).get(person ?? '');
  const about = appName || personName || '';
  const suggested = about === '' ? '' : text('scope.reviewOf', { name: about });
  const navigate = useNavigate();
  const form = useForm({
    values: {
      // Until it is written, it follows what the review is about.
      displayName: undefined as string | undefined,
      scopeType: person === undefined ? reviewKind({}) : 'ACCESS_REVIEW_SCOPE_TYPE_BY_USERS',
      description: '',
    },
    send: async ({ displayName = suggested, scopeType, description }) => {
      const made = await call('AccessReviewService.Create', {
        displayName: displayName.trim(),
        description,
        ...kindScope(scopeType, person),
      });
      const id = made.accessReview?.accessReview?.id ?? '';
      if (app !== undefined && mayName(scopeType)) {
        await call('AccessReviewService.Update', { id, accessReview: { singleApp: { appId: app } }, updateMask: 'singleApp' });
      }
      return id;
    },
    stale: ['AccessReviewService.List', 'ReviewSearchService.Search'],
    onSent: (id) => navigate({ to: '/reviews/$reviewId/edit/$part', params: { reviewId: id, part: 'scope' } }),
  });
  const { value: name = suggested, ...naming } = form.at('displayName');
  return (
    <Page title={text('scope.newReview')} before={<Link to="/reviews">{text('nav.reviews')}</Link>} width="column">
      <Form form={form} className={styles.fields} action={text('scope.create')}>
        <p className={styles.quiet}>{text('scope.newWhat')}</p>
        <TextField {...naming} label={text('scope.name')} value={name} required autoFocus />
        {about === '' ? null : <Note>{text('scope.newAbout', { name: about })}</Note>}
        <RadioGroup {...form.at('scopeType')} label={text('scope.kind')} options={choicesOf(kindNames, kindHints)} />
        <TextArea {...form.at('description')} label={text('scope.description')} hint={text('scope.descriptionHint')} />
      </Form>
    </Page>
  );
}
