/** Settings of a source that fetches, and the secrets by which it signs in elsewhere. */
import { useQuery } from '@tanstack/react-query';
import { Suspense, useState } from 'react';
import { lazyPart } from '~/parts/states/lazy-part.tsx';
import type { Source } from '~/data/inventory/inventory.ts';
import { read } from '~/data/query.ts';
import { Button } from '~/parts/controls/button.tsx';
import { Load } from '~/parts/states/load.tsx';
import { Facts } from '~/parts/words/facts.tsx';
import { Name } from '~/parts/words/name.tsx';
import { text } from '~/text/text.ts';
import { findKind } from '~/screens/sources/kinds/index.ts';
import type { Field, KindOfSource } from '~/screens/sources/kinds/kind.ts';
import type { Config } from '~/screens/sources/kinds/settings-values.ts';
import styles from '~/screens/sources/sources.module.css';
import { Secrets } from './secrets.tsx';

const ChangeSettings = lazyPart(() => import('./change-settings.tsx').then(({ ChangeSettings: component }) => component));

export function Settings({ source, mayWrite }: { source: Source; mayWrite: boolean }) {
  const kind = findKind(source.kind);
  const [isChanging, setChanging] = useState(false);
  const query = useQuery({
    ...read('ConnectorService.Get', { appId: source.appId ?? '', id: source.id ?? '' }),
    enabled: kind !== undefined && source.appId !== '',
  });
  if (kind === undefined) {
    return null;
  }
  return (
    <>
      <section className={styles.part}>
        <h2>{text('setup.title')}</h2>
        <Load query={query}>
          {({ connectorView }) => {
            const config = (connectorView?.connector?.config ?? {}) as Config;
            return (
              <>
                <Facts rows={listSettings(kind, config)} />
                {isChanging ? (
                  <Suspense>
                    <ChangeSettings kind={kind} source={source} config={config} onClose={() => setChanging(false)} />
                  </Suspense>
                ) : null}
              </>
            );
          }}
        </Load>
        {mayWrite ? (
          <div className={styles.row}>
            <Button onClick={() => setChanging(true)}>{text('setup.change')}</Button>
          </div>
        ) : null}
      </section>
      <Secrets kind={kind} source={source} mayWrite={mayWrite} />
    </>
  );
}

/** The settings that say something. */
function listSettings(kind: KindOfSource, config: Config) {
  const people =
    kind.people === 'setting' && config['isPeople'] === true ? [{ term: text('connect.isPeople'), children: text('setup.yes') }] : [];
  return [
    ...kind.fields.flatMap((field) => {
      const shown = field.isSecret === true ? '' : showSetting(field, config[field.name]);
      return shown === '' ? [] : [{ term: text(field.label), children: <Name>{shown}</Name> }];
    }),
    ...people,
  ];
}

function showSetting({ control, options }: Field, value: unknown): string {
  if (control === 'tick') {
    return value === true ? text('setup.yes') : '';
  }
  if (control === 'choice') {
    return options?.find((option) => option.value === value)?.label ?? '';
  }
  if (control === 'number') {
    return value === 0 || value === undefined ? '' : String(value);
  }
  if (Array.isArray(value)) {
    return value.join(', ');
  }
  const [line = '', ...rest] = String(value ?? '').split('\n');
  return rest.length > 0 ? `${line} …` : line;
}
