/** Target of a file: to the people, or into an app; and as which source. */
import { useQuery } from '@tanstack/react-query';
import { type Found, searchApps } from '~/data/inventory/find.ts';
import { getNameKey } from '~/data/name-key.ts';
import { read } from '~/data/query.ts';
import { Combobox } from '~/parts/fields/combobox.tsx';
import { Segments } from '~/parts/controls/segments.tsx';
import { Select } from '~/parts/controls/select.tsx';
import { TextField } from '~/parts/fields/text-field.tsx';
import { text } from '~/text/text.ts';
import type { Kind } from './fields.ts';
import styles from '~/screens/imports/imports.module.css';
import type { ImportState } from '~/screens/imports/use-import.ts';
import { useState } from 'react';

/** The value of the choice that makes a source of another name. */
const newSource = '+';

/** The apps that are there, and a new one of the name that was typed. */
async function findOrName(query: string, signal: AbortSignal): Promise<Found[]> {
  const found = await searchApps(query, signal);
  const name = query.trim();
  const isThere = name === '' || found.some(({ label }) => getNameKey(label) === getNameKey(name));
  return isThere ? found : [...found, { id: `new:${name}`, label: name, hint: text('imports.newApp') }];
}

export function TargetFields({ state: { target, setTarget } }: { state: ImportState }) {
  const { data } = useQuery(read('SourceService.List', { pageSize: 100 }));
  const [isNaming, setNaming] = useState(target.source !== '');
  const isPeople = target.kind === 'people';
  const sources = (data?.list ?? []).filter(
    ({ appId, kind }) => kind !== 'SOURCE_KIND_SCIM' && (isPeople ? !appId : appId !== '' && appId === target.app?.id),
  );
  const usual = sources.find(isUsual);
  return (
    <div className={styles.target}>
      <Segments
        label={text('imports.kind')}
        value={target.kind}
        onChange={(kind: Kind) => setTarget({ kind, app: undefined, source: '', connectorId: '' })}
        options={[
          { value: 'people', label: text('imports.kind.people') },
          { value: 'grants', label: text('imports.kind.grants') },
        ]}
      />
      {isPeople ? null : (
        <Combobox
          label={text('imports.app')}
          value={target.app}
          onChange={(app: Found | undefined | null) => setTarget({ ...target, app: app ?? undefined, source: '', connectorId: '' })}
          search={findOrName}
          placeholder={text('imports.appFind')}
        />
      )}
      {sources.length === 0 ? null : (
        <Select
          label={text('imports.source')}
          value={isNaming ? newSource : target.connectorId || (usual?.id ?? '')}
          onChange={(id: string) => {
            setNaming(id === newSource);
            setTarget({ ...target, source: '', connectorId: id === newSource ? '' : id });
          }}
          options={[
            ...(usual === undefined ? [{ value: '', label: isPeople ? 'people' : 'files' }] : []),
            ...sources.map((source) => ({ value: source.id ?? '', label: source.displayName ?? '' })),
            { value: newSource, label: text('imports.newSource') },
          ]}
        />
      )}
      {isNaming ? (
        <TextField
          label={text('imports.sourceName')}
          value={target.source}
          onChange={(source: string) => setTarget({ ...target, source, connectorId: '' })}
        />
      ) : null}
    </div>
  );
}

/** The source that a file without a name goes to. */
function isUsual({ displayName }: { displayName?: string }): boolean {
  return displayName === 'files' || displayName === 'people';
}
