/** Connections to others: one file judges every address, so nothing else of the service opens one. */
import type { Finding } from './arrows.ts';
import { isTest, type SourceFile } from './tree.ts';

/** Files that connect, each by addresses that outgoing.ts judged, but for the mail server of the operator, who names its address. */
const connecting: ReadonlySet<string> = new Set([
  'src/lib/outgoing.ts',
  'src/lib/ldap/connect.ts',
  'src/lib/sql-source/connect-judged.ts',
  'src/outward/notifications/mailers/smtp-mailer.ts',
]);
/** Parts that speak with our own database, with whoever asks us, or run elsewhere than the service. */
const elsewhere = /^src\/(?:db|http|cli|client|runner)\//;

const networks = /^import (?!type )(?<names>[^;]*?) from '(?:node:)?(?:http|https|http2|net|tls|dns|dns\/promises|dgram)';$/gm;
/** Values of these modules that open no connection. */
const harmless = /^(?:type \w+|isIP|isIPv4|isIPv6|BlockList)$/;
const packages = /^import (?!type )[^;]*? from '(?:undici|axios|got|node-fetch|ws)';$/m;

function opensConnections(text: string): boolean {
  const imported = [...text.matchAll(networks)].flatMap(({ groups }) => (groups?.names ?? '').replace(/^\{|\}$/g, '').split(','));
  const opens = imported.map((name) => name.trim()).some((name) => name !== '' && !harmless.test(name));
  return (
    opens || packages.test(text) || /(?<![.\w])(?:globalThis\.)?fetch\(|\bimport\('(?:node:)?(?:https?|http2|net|tls|dgram)'\)/.test(text)
  );
}

/** Files of the service that reach others by themselves. */
export function connectionsPastOutgoing(files: readonly SourceFile[]): Finding[] {
  return files
    .filter((file) => file.path.startsWith('src/') && !isTest(file) && !elsewhere.test(file.path) && !connecting.has(file.path))
    .filter(({ text }) => opensConnections(text))
    .map(({ path }) => `${path}: others are reached through src/lib/outgoing.ts, which judges every address`);
}
