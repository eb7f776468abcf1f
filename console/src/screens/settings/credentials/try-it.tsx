/** Examples of using a new credential: for curl, for the shell, and for Terraform. The secret stands in none of them. */
import { useState } from 'react';
import { Segments } from '~/parts/controls/segments.tsx';
import { text } from '~/text/text.ts';
import styles from './credentials.module.css';

export function TryIt({ clientId }: { clientId: string }) {
  const [kind, setKind] = useState('curl');
  const samples: Readonly<Record<string, string>> = {
    curl: `curl ${location.origin}/auth/v1/token \\\n  -d grant_type=client_credentials \\\n  --data-urlencode client_id=${clientId} \\\n  --data-urlencode client_secret=…`,
    shell: `export COUNTERSIGN_URL=${location.origin}\nexport COUNTERSIGN_CLIENT_ID=${clientId}\nexport COUNTERSIGN_CLIENT_SECRET=…`,
  };
  return (
    <div className={styles.pair}>
      <div className={styles.tryHead}>
        <b>{text('credentials.tryIt')}</b>
        <Segments
          label={text('credentials.tryIt')}
          value={kind}
          onChange={setKind}
          options={[
            { value: 'curl', label: text('credentials.curl') },
            { value: 'shell', label: text('credentials.shell') },
          ]}
        />
      </div>
      <pre className={styles.sample}>{samples[kind]}</pre>
    </div>
  );
}
