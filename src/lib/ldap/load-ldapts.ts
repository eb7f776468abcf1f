/** The library for LDAP, loaded when a directory is first asked or its filters are read. */
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/** Returns the library. */
export function loadLdapts(): typeof import('ldapts') {
  return require('ldapts') as typeof import('ldapts');
}
