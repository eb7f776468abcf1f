/** The first step of a review: its name. From then on it is a draft, which is kept as one writes. */
import { Link, useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { Page } from '../../app/page.tsx';
import { Button } from '../../parts/button.tsx';
import { Note } from '../../parts/note.tsx';
import { RadioGroup } from '../../parts/radio-group.tsx';
import { TextArea } from '../../parts/text-area.tsx';
import { TextField } from '../../parts/text-field.tsx';
import { messageOf, useAct, violationOf } from '../../data/act.ts';
import { text } from '../../text/text.ts';
import styles from './edit.module.css';
import { beginningOf, kindOf, kinds, type ReviewKind } from './kinds.ts';

export function NewReviewPage() {
  const [name, setName] = useState('');
  const [kind, setKind] = useState<ReviewKind>(kindOf({}));
  const [description, setDescription] = useState('');
  const navigate = useNavigate();
  const create = useAct('AccessReviewService.Create', 'AccessReviewService.List', 'ReviewSearchService.Search');
  const nameError = violationOf(create.error, 'displayName');
  const descriptionError = violationOf(create.error, 'description');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    create.mutate(
      { displayName: name.trim(), description, ...(kind === kindOf({}) ? {} : { scopeType: kind, scopeV2: beginningOf(kind) }) },
      { onSuccess: (made) => void navigate({ to: `/reviews/${made.accessReview?.accessReview?.id}/edit/scope` as string }) },
    );
  };
  return (
    <Page title={text('scope.newReview')} before={<Link to={'/reviews' as string}>{text('nav.reviews')}</Link>} width="column">
      <form className={styles.fields} onSubmit={submit} noValidate>
        <p className={styles.quiet}>{text('scope.newWhat')}</p>
        <TextField label={text('scope.name')} value={name} onChange={setName} error={nameError} required autoFocus />
        <RadioGroup
          label={text('scope.kind')}
          value={kind}
          onChange={setKind}
          options={kinds.map(({ kind: value, label, hint }) => ({ value, label: text(label), hint: text(hint) }))}
        />
        <TextArea
          label={text('scope.description')}
          value={description}
          onChange={setDescription}
          hint={text('scope.descriptionHint')}
          error={descriptionError}
        />
        {create.isError && nameError === undefined && descriptionError === undefined ? (
          <Note kind="fault">{messageOf(create.error)}</Note>
        ) : null}
        <div>
          <Button type="submit" variant="primary" busy={create.isPending}>
            {text('scope.create')}
          </Button>
        </div>
      </form>
    </Page>
  );
}
