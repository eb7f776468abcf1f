/** Somebody by name, and another person who issued what they acted through: a link or a credential of an administrator. */
import { text } from './text.ts';

/** Names them both; each may be absent. */
export function nameBy(name: string | undefined, issuer: string | undefined): string {
  const who = name ?? '';
  return issuer === undefined || issuer === '' || who === '' ? who : text('parts.nameIssued', { name: who, issuer });
}
