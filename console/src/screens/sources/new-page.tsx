/** A new source: the system is looked for by its name, which leads to the form of the kind that connects it. */
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { Page } from '~/app/page.tsx';
import { TextField } from '~/parts/fields/text-field.tsx';
import { text } from '~/text/text.ts';
import { NewSource } from './connect/new-source.tsx';
import { findSystem, findSystems } from './kinds/find-systems.ts';
import { findKind, kindsOfSources } from './kinds/index.ts';
import { newSourceRoute } from './route.tsx';
import styles from './sources.module.css';

const maxFound = 8;

export function NewSourcePage() {
  const { kind: id, of } = newSourceRoute.useSearch();
  const kind = findKind(id);
  if (kind === undefined) {
    return (
      <Page title={text('connect.title')} before={<Link to="/sources">{text('nav.sources')}</Link>} width="column">
        <ChooseSystem />
      </Page>
    );
  }
  const found = findSystem(kind, of);
  return (
    <Page
      key={`${kind.id} ${of}`}
      title={found === undefined ? text(kind.name) : text('connect.titleOf', { system: found.name })}
      before={<Link to="/sources/new">{text('connect.title')}</Link>}
      width="column"
    >
      <NewSource kind={kind} of={of} />
    </Page>
  );
}

function ChooseSystem() {
  const [written, setWritten] = useState('');
  const found = findSystems(written, maxFound);
  return (
    <div className={styles.part}>
      <TextField label={text('connect.what')} placeholder={text('connect.findExample')} value={written} onChange={setWritten} />
      <div aria-live="polite">
        {written.trim() !== '' && found.length === 0 ? <p className={styles.quiet}>{text('connect.noneFound')}</p> : null}
      </div>
      {found.length === 0 ? null : (
        <ul className={styles.choices} aria-label={text('connect.systems')}>
          {found.map(({ kind, name, system }) => (
            <li key={`${kind.id} ${name}`}>
              <Link to="/sources/new" search={{ kind: kind.id, of: name }}>
                <strong>{name}</strong>
                <span>{text(kind.name)}</span>
                {system.settings?.['program'] === undefined ? null : <small>{system.settings['program']}</small>}
              </Link>
            </li>
          ))}
        </ul>
      )}
      <h2>{text('connect.ways')}</h2>
      <ul className={styles.choices} aria-label={text('connect.ways')}>
        {kindsOfSources.map((kind) => (
          <li key={kind.id}>
            <Link to="/sources/new" search={{ kind: kind.id }}>
              <strong>{text(kind.name)}</strong>
              <span>{text(kind.about)}</span>
            </Link>
          </li>
        ))}
        <li>
          <Link to="/import">
            <strong>{text('connect.upload')}</strong>
            <span>{text('connect.uploadAbout')}</span>
          </Link>
        </li>
      </ul>
    </div>
  );
}
