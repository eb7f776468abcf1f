/** One box to copy: what starts a connector, in the form in which it is run. It holds the secret, which is shown this once. */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { read } from '~/data/query.ts';
import { Copy } from '~/parts/controls/copy.tsx';
import { Segments } from '~/parts/controls/segments.tsx';
import { text } from '~/text/text.ts';
import { type Form, forms, startText } from './connector-start.ts';
import styles from './sources.module.css';

interface StartBoxProps {
  readonly appId: string;
  readonly id: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

export function StartBox({ appId, id, ...credential }: StartBoxProps) {
  const [form, setForm] = useState<Form>('command');
  const query = useQuery(read('ConnectorService.Get', { appId, id }));
  const config = query.data?.connectorView?.connector?.config as { program?: string } | undefined;
  const program = config?.program || 'baton-connector';
  return (
    <div className={styles.secret}>
      <p>{text('connector.onceHint')}</p>
      <Segments
        label={text('connector.form')}
        value={form}
        onChange={setForm}
        options={forms.map((value) => ({ value, label: text(`connector.form.${value}`) }))}
      />
      <Copy value={startText(form, { program, ...credential })} label={text('connector.start')} shown />
    </div>
  );
}
