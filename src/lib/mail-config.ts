/** Outgoing mail, as an operator configures it, and the URL of a server that takes it. Nothing is sent here. */

/** Way mails leave: through a server, or into a folder. */
export interface MailConfig {
  readonly transport:
    | { readonly type: 'smtp'; readonly server: SmtpServer; readonly passwordFile: string | undefined; readonly caFile: string | undefined }
    | { readonly type: 'folder'; readonly folder: string };
  /** The address they come from; a tenant may set another. */
  readonly from: string;
  /** The most that leave for one tenant in a minute. */
  readonly perMinute: number;
}

/** A server that takes mail. */
export interface SmtpServer {
  readonly host: string;
  readonly port: number;
  /** TLS from the first byte on, by STARTTLS or not at all. */
  readonly tls: 'direct' | 'starttls' | 'none';
  readonly user: string;
  readonly password: string;
}

/** A server from its URL; throws the end of the sentence "... must be". The URL is not echoed where it is wrong: it may hold a password. */
export function readSmtpUrl(text: string): SmtpServer {
  const problem = new Error('a URL such as smtps://user:password@smtp.example.com or smtp://relay.example.com:587');
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !['smtp:', 'smtps:'].includes(url.protocol) || url.hostname === '' || !['', '/'].includes(url.pathname)) {
    throw problem;
  }
  const starttls = url.searchParams.get('starttls') ?? 'required';
  if ([...url.searchParams.keys()].some((key) => key !== 'starttls') || !['required', 'never'].includes(starttls)) {
    throw new Error('without parameters but starttls=required or starttls=never');
  }
  const isDirect = url.protocol === 'smtps:';
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const isOpen = !isDirect && starttls === 'never';
  if (isOpen && url.username !== '' && !['localhost', '127.0.0.1', '::1'].includes(host)) {
    throw new Error('without user and password where starttls=never: they would cross the network in the clear');
  }
  return {
    host,
    port: url.port === '' ? (isDirect ? 465 : 587) : Number(url.port),
    tls: isDirect ? 'direct' : isOpen ? 'none' : 'starttls',
    user: decodeURIComponent(url.username),
    password: decodeURIComponent(url.password),
  };
}
