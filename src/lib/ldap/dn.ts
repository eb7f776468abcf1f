/** Distinguished names (RFC 4514) as keys: two spellings of one name become the same text. */

const unusual = /[\\"+#]|\s[,=]|[,=]\s|\s\s|^\s|\s$/;

/**
 * Returns a name in lower case, without the spaces that mean nothing and with one spelling for what is escaped. Values are compared without regard to
 * case, as the attributes in names are.
 */
export function normalizeDn(dn: string): string {
  // Nearly all names are written so; a directory has a million of them in its groups.
  if (!unusual.test(dn)) {
    return dn.toLowerCase();
  }
  return splitDn(dn)
    .map((part) => {
      const [type = '', value = ''] = splitOnce(part, '=');
      return `${type.trim()}=${spellValue(value)}`.toLowerCase();
    })
    .join(',');
}

/** True if a name lies at or below another, both normalized. */
export function isBelow(dn: string, base: string): boolean {
  return base === '' || dn === base || dn.endsWith(`,${base}`);
}

/** The parts of a name. Those joined by `+` stay together, as they stand. */
function splitDn(dn: string): string[] {
  const parts: string[] = [];
  let part = '';
  let isQuoted = false;
  for (let index = 0; index < dn.length; index++) {
    const mark = dn[index] as string;
    if (mark === '\\') {
      part += mark + (dn[index + 1] ?? '');
      index++;
    } else if ((mark === ',' || mark === ';') && !isQuoted) {
      parts.push(part);
      part = '';
    } else {
      isQuoted = mark === '"' ? !isQuoted : isQuoted;
      part += mark;
    }
  }
  return [...parts, part];
}

function splitOnce(text: string, mark: string): string[] {
  const at = text.indexOf(mark);
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}

/** A value without escapes, its inner spaces single, then escaped in one way. */
function spellValue(written: string): string {
  const trimmed = written.replace(/^\s+/, '').replace(/(?<!\\)\s+$/, '');
  const value = /^".*"$/s.test(trimmed) ? trimmed.slice(1, -1) : trimmed;
  const plain = value.replace(/(?:\\[0-9a-fA-F]{2})+|\\(.)/gs, (escaped, mark?: string) =>
    mark === undefined ? Buffer.from(escaped.replaceAll('\\', ''), 'hex').toString('utf8') : mark,
  );
  return plain.replace(/\s+/g, ' ').replace(/[\\,;]/g, '\\$&');
}
