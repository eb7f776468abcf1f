/** Signatures that the reviews of a template ask of their reviewers. */
import { useState } from 'react';
import { SignatureFields } from '~/app/reviews/signature-fields.tsx';
import { errorMessage, fieldViolation, useAct } from '~/data/act.ts';
import { useMay } from '~/data/session/session.ts';
import { Button } from '~/parts/controls/button.tsx';
import { toast } from '~/parts/over/toast.tsx';
import { Note } from '~/parts/states/note.tsx';
import { text } from '~/text/text.ts';
import styles from './templates.module.css';
import type { Template } from './words.ts';

export function SignaturePart({ template }: { template: Template }) {
  const mayManage = useMay('reviews.create');
  const [config, setConfig] = useState(template.signatureConfig ?? {});
  const save = useAct('AccessReviewTemplateService.Update', 'AccessReviewTemplateService.Get', 'ReviewTemplateService.List');
  if (!mayManage) {
    return null;
  }
  const isAtField = fieldViolation(save.error, 'tspUrl', 'meaningOfSignature', 'stepUpProviderId') !== undefined;
  const send = () =>
    save.mutate(
      { id: template.id ?? '', accessReviewTemplate: { signatureConfig: config } },
      { onSuccess: () => void toast(text('templates.saved')) },
    );
  return (
    <section className={styles.section}>
      <h2>{text('signature.title')}</h2>
      <SignatureFields value={config} onChange={setConfig} error={save.error} />
      {save.isError && !isAtField ? <Note kind="fault">{errorMessage(save.error)}</Note> : null}
      <div>
        <Button busy={save.isPending} onClick={send}>
          {text('settings.save')}
        </Button>
      </div>
    </section>
  );
}
