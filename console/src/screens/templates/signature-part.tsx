/** Signatures that the reviews of a template ask of their reviewers. */
import { Suspense } from 'react';
import { ChangedMeanwhile } from '~/app/forms/changed-meanwhile.tsx';
import { useSavedMembers } from '~/app/forms/use-saved.ts';
import { errorMessage, fieldViolation } from '~/data/act.ts';
import { useMay } from '~/data/session/session.ts';
import { Button } from '~/parts/controls/button.tsx';
import { toast } from '~/parts/over/toast.tsx';
import { lazyPart } from '~/parts/states/lazy-part.tsx';
import { Note } from '~/parts/states/note.tsx';
import { text } from '~/text/text.ts';
import styles from './templates.module.css';
import { ofTemplate } from './of-template.ts';
import type { Template } from './words.ts';

const SignatureFields = lazyPart(() => import('~/app/reviews/signature-fields.tsx').then(({ SignatureFields: component }) => component));

export function SignaturePart({ template }: { template: Template }) {
  const mayManage = useMay('reviews.create');
  const { draft, set, isBusy, error, changed, save } = useSavedMembers({
    ...ofTemplate(template),
    onSaved: () => toast(text('templates.saved')),
  });
  if (!mayManage) {
    return null;
  }
  const isAtField = fieldViolation(error, 'tspUrl', 'meaningOfSignature', 'stepUpProviderId') !== undefined;
  return (
    <section className={styles.section}>
      <h2>{text('signature.title')}</h2>
      <Suspense>
        <SignatureFields value={draft.signatureConfig ?? {}} onChange={(signatureConfig) => set({ signatureConfig })} error={error} />
      </Suspense>
      {changed === undefined ? null : <ChangedMeanwhile {...changed} />}
      {error !== null && !isAtField ? <Note kind="fault">{errorMessage(error)}</Note> : null}
      <div>
        <Button busy={isBusy} onClick={save}>
          {text('settings.save')}
        </Button>
      </div>
    </section>
  );
}
