/** Further steps under a name of their own, for rules to lead to. */
import { Form } from '~/app/forms/form.tsx';
import { needs, useForm } from '~/app/forms/use-form.ts';
import { Button } from '~/parts/controls/button.tsx';
import { TextField } from '~/parts/fields/text-field.tsx';
import { text } from '~/text/text.ts';
import styles from '~/screens/policies/policies.module.css';
import { newStep, type Policy, type Step, possibleStepKinds } from '~/screens/policies/types.ts';

export function NewSteps({ policy, onAdd }: { policy: Policy; onAdd: (key: string, step: Step) => void }) {
  const isTaken = (name: string) => policy.policySteps?.[name.trim()] !== undefined;
  const form = useForm({
    values: { name: '' },
    send: async ({ name }) => onAdd(name.trim(), newStep(possibleStepKinds(policy).includes('provision') ? 'provision' : 'approval')),
    onSent: () => {
      form.reset();
    },
  });
  const check = (name: string) =>
    needs(text('policies.stepsNameNeeded'))(name) ?? (isTaken(name) ? text('policies.stepsNameTaken') : undefined);
  return (
    <Form form={form} className={styles.row}>
      <TextField {...form.at('name', check)} label={text('policies.stepsName')} hint={text('policies.stepsNameHint')} maxLength={100} />
      <div>
        <Button type="submit" icon="plus">
          {text('policies.addSteps')}
        </Button>
      </div>
    </Form>
  );
}
