/** Entries of a directory, as they are read off the wire, and the values that are looked for in them. */

/** An entry; the names of its attributes are in lower case, without options such as `;range=0-1499` changed. */
export interface Entry {
  readonly dn: string;
  readonly attributes: ReadonlyMap<string, readonly Buffer[]>;
}

/** A value as a text; PostgreSQL takes no NUL in one. */
function decode(value: Buffer | undefined): string {
  const text = value?.toString('utf8').trim() ?? '';
  return text.includes('\0') ? text.replaceAll('\0', '') : text;
}

/** Returns the first value of the first of these attributes that has one, without the spaces around it; '' for none. */
export function textOf({ attributes }: Entry, ...names: readonly string[]): string {
  for (const name of names) {
    const value = decode(attributes.get(name)?.[0]);
    if (value !== '') {
      return value;
    }
  }
  return '';
}

/** Returns all values of an attribute. */
export function textsOf({ attributes }: Entry, name: string): string[] {
  return (attributes.get(name) ?? []).map(decode);
}

/** Attributes that hold a key which stays when an entry is renamed. */
export const keyAttributes = ['objectGUID', 'entryUUID', 'ipaUniqueID', 'nsUniqueId'] as const;

/** Returns the key of an entry: the first of objectGUID, entryUUID, ipaUniqueID and nsUniqueId that it has, else its name. */
export function keyOf(entry: Entry): string {
  const guid = entry.attributes.get('objectguid')?.[0];
  if (guid?.length === 16) {
    return spellGuid(guid);
  }
  return textOf(entry, 'entryuuid', 'ipauniqueid', 'nsuniqueid').toLowerCase() || entry.dn;
}

/** Microsoft writes the first three parts of an identifier backwards. */
function spellGuid(guid: Buffer): string {
  const parts = [
    Buffer.from(guid.subarray(0, 4)).reverse(),
    Buffer.from(guid.subarray(4, 6)).reverse(),
    Buffer.from(guid.subarray(6, 8)).reverse(),
  ];
  return [...parts, guid.subarray(8, 10), guid.subarray(10)].map((part) => part.toString('hex')).join('-');
}

/** Returns a security identifier as `S-1-5-21-1-2-3-513`; '' for what is none. */
export function sidOf(entry: Entry): string {
  const sid = entry.attributes.get('objectsid')?.[0];
  if (sid === undefined || sid.length < 8 || sid.length !== 8 + 4 * (sid[1] as number)) {
    return '';
  }
  const parts = Array.from({ length: sid[1] as number }, (_, index) => sid.readUInt32LE(8 + 4 * index));
  return ['S', sid[0], sid.readUIntBE(2, 6), ...parts].join('-');
}
