/** A step of a revoke policy by which people remove access: who, whether they may pass it on, and how it is done. */
import { PeopleField } from '~/app/people/people-field.tsx';
import { Checkbox } from '~/parts/controls/checkbox.tsx';
import { Select } from '~/parts/controls/select.tsx';
import { TextArea } from '~/parts/fields/text-area.tsx';
import { text } from '~/text/text.ts';
import styles from '~/screens/policies/policies.module.css';
import { type ApproverParts, type Manual, removers, startingParts } from '~/screens/policies/types.ts';
import { approverWords } from '~/screens/policies/words.ts';
import { ApproverFields } from './approver-fields.tsx';

type Remover = (typeof removers)[number];

/** A remover also says whether they may pass the removal on. */
interface RemoverParts extends ApproverParts {
  readonly allowReassignment?: boolean;
}

export function RemovalForm({ manual, onChange }: { manual: Manual; onChange: (manual: Manual) => void }) {
  const kind = removers.find((one) => manual.assignee?.[one] !== undefined) ?? 'appOwners';
  const parts: RemoverParts = manual.assignee?.[kind] ?? {};
  const setAssignee = (next: Remover, some: RemoverParts) =>
    onChange({ ...manual, assignee: { [next]: some } as Manual['assignee'] & object });
  const setParts = (some: RemoverParts) => setAssignee(kind, { ...parts, ...some });
  return (
    <div className={styles.form}>
      <Select<Remover>
        label={text('policies.whoRemoves')}
        value={kind}
        onChange={(next) => setAssignee(next, { ...startingParts(next), allowReassignment: parts.allowReassignment === true })}
        options={removers.map((one) => ({ value: one, label: approverWords(one) }))}
      />
      <ApproverFields kind={kind} parts={parts} onChange={setParts} />
      {kind === 'users' ? null : (
        <PeopleField
          label={text('policies.fallbackPeople')}
          value={parts.fallbackUserIds ?? []}
          onChange={(fallbackUserIds) => setParts({ fallbackUserIds })}
        />
      )}
      <Checkbox
        label={text('policies.mayReassign')}
        checked={parts.allowReassignment === true}
        onChange={(allowReassignment) => setParts({ allowReassignment })}
      />
      <TextArea
        label={text('policies.instructions')}
        value={manual.instructions ?? ''}
        onChange={(instructions) => onChange({ ...manual, instructions })}
      />
    </div>
  );
}
