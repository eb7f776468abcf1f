/** A program asks to act as the person who is signed in: the code is typed or came with the address, then the person compares and answers. */
import { useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import { Form } from '~/app/forms/form.tsx';
import { useForm } from '~/app/forms/use-form.ts';
import { Button } from '~/parts/controls/button.tsx';
import { TextField } from '~/parts/fields/text-field.tsx';
import { text } from '~/text/text.ts';
import { Asking } from './asking.tsx';
import styles from './device.module.css';
import { deviceRoute } from './route.tsx';

export function DevicePage() {
  const { code = '' } = deviceRoute.useSearch();
  const navigate = useNavigate();
  const form = useForm({
    values: { typed: '' },
    isTrial: true,
    send: async ({ typed }) => (typed.trim() === '' ? undefined : navigate({ to: '/device', search: { code: typed.trim() } })),
  });
  useEffect(() => {
    document.title = text('app.titled', { title: text('device.title') });
  }, []);
  return (
    <main className={styles.page}>
      <h1>{text('device.title')}</h1>
      {code === '' ? (
        <Form form={form} className={styles.form}>
          <TextField {...form.at('typed')} label={text('device.code')} hint={text('device.codeHint')} autoFocus maxLength={20} />
          <Button type="submit" variant="primary">
            {text('device.goOn')}
          </Button>
        </Form>
      ) : (
        <Asking key={code} code={code} />
      )}
    </main>
  );
}
