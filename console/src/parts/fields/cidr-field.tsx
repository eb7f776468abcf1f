/** Address blocks, each written or pasted and ended by Enter, a comma or a space. A single address becomes the block of itself. */
import { type KeyboardEvent, useState } from 'react';
import { Remove } from '~/parts/controls/remove.tsx';
import { text } from '~/text/text.ts';
import styles from './cidr-field.module.css';
import { Field, type FieldProps } from './field.tsx';
import { splitList } from './split-list.ts';

interface CidrFieldProps extends FieldProps {
  readonly value: readonly string[];
  readonly onChange: (value: string[]) => void;
}

export function CidrField({ label, hint, error, required, value, onChange }: CidrFieldProps) {
  const [written, setWritten] = useState('');
  const [wrong, setWrong] = useState('');
  const add = (from: string): void => {
    const parts = splitList(from);
    const blocks = parts.map(toBlock);
    const bad = parts.filter((_, index) => blocks[index] === undefined);
    const good = blocks.filter((block) => block !== undefined && !value.includes(block)) as string[];
    if (good.length > 0) {
      onChange([...new Set([...value, ...good])]);
    }
    setWritten(bad.join(' '));
    setWrong(bad.length === 0 ? '' : text('parts.notABlock', { value: bad[0] ?? '' }));
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (['Enter', ',', ' ', ';'].includes(event.key) && written.trim() !== '') {
      event.preventDefault();
      add(written);
    } else if (event.key === 'Backspace' && written === '' && value.length > 0) {
      onChange(value.slice(0, -1));
    }
  };
  return (
    <Field label={label} hint={hint} error={wrong === '' ? error : wrong} required={required}>
      {(binding) => (
        <div className={styles.blocks} data-invalid={binding['aria-invalid']}>
          {value.map((block) => (
            <span key={block} className={styles.block}>
              <code>{block}</code>
              <Remove label={text('parts.removeWhat', { what: block })} onClick={() => onChange(value.filter((one) => one !== block))} />
            </span>
          ))}
          <input
            {...binding}
            className={styles.input}
            autoComplete="off"
            spellCheck={false}
            inputMode="url"
            placeholder={text('parts.addBlock')}
            value={written}
            onChange={(event) => {
              setWritten(event.target.value);
              setWrong('');
            }}
            onKeyDown={onKeyDown}
            onPaste={(event) => {
              event.preventDefault();
              add(`${written} ${event.clipboardData.getData('text')}`);
            }}
            onBlur={() => add(written)}
          />
        </div>
      )}
    </Field>
  );
}

/** The block that was meant; undefined where it is none. The server checks it again. */
export function toBlock(written: string): string | undefined {
  const [address = '', prefix, more] = written.split('/');
  const bits = isV4(address) ? 32 : isV6(address) ? 128 : 0;
  if (bits === 0 || more !== undefined || (prefix !== undefined && !(/^\d{1,3}$/.test(prefix) && Number(prefix) <= bits))) {
    return undefined;
  }
  return `${address.toLowerCase()}/${prefix === undefined ? bits : Number(prefix)}`;
}

function isV4(address: string): boolean {
  const parts = address.split('.');
  return parts.length === 4 && parts.every((part) => /^(?:0|[1-9]\d{0,2})$/.test(part) && Number(part) <= 255);
}

function isV6(address: string): boolean {
  // The browser knows what an address of version 6 is.
  return /^[0-9a-f:.]+$/i.test(address) && address.includes(':') && URL.canParse(`http://[${address}]`);
}
