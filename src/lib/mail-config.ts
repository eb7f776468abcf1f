/** Outgoing mail, as an operator configures it, and the URL of a server that takes it. Nothing is sent here. */
import { isIP, isIPv4 } from 'node:net';
import { domainToASCII } from 'node:url';

/** Way mails leave: through a server, or into a folder. */
export interface MailConfig {
  readonly transport:
    | {
        readonly type: 'smtp';
        readonly server: SmtpServer;
        readonly passwordFile: string | undefined;
        readonly caFile: string | undefined;
        readonly name?: string | undefined;
      }
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

/** A name to greet servers with: a domain name, by its A-labels, or an address literal (RFC 5321 4.1.3). Throws the end of the sentence "... must be". */
export function readSmtpName(text: string): string {
  const literal = /^\[(?<v6>IPv6:)?(?<address>[^\]]+)\]$/i.exec(text)?.groups;
  const name = literal === undefined && !/\s/.test(text) ? domainToASCII(text) : '';
  const isDomain = name.length <= 253 && /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)*[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/.test(name);
  if (literal === undefined ? !isDomain || isIPv4(name) : isIP(literal['address'] ?? '') !== (literal['v6'] === undefined ? 4 : 6)) {
    throw new Error(
      `a domain name such as reviews.example.com, or an address in brackets such as [192.0.2.7] or [IPv6:2001:db8::7], not "${text}"`,
    );
  }
  return literal === undefined ? name : text;
}

/** A server from its URL; throws the end of the sentence "... must be". The URL is not echoed where it is wrong: it may hold a password. */
export function readSmtpUrl(text: string): SmtpServer {
  const problem = new Error(
    'a URL such as smtps://user:password@smtp.example.com or smtp://relay.example.com:587: percent-encode / ? # @ : and % in the password (%2F %3F %23 %40 %3A %25), or give it with --smtp-password-file',
  );
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !['smtp:', 'smtps:'].includes(url.protocol) || url.hostname === '' || !['', '/'].includes(url.pathname)) {
    throw problem;
  }
  // Behind the first / ? or # of a password, URL reads no user any more, and takes what stood before it for host and port.
  if (url.hash !== '' || url.search.includes('@')) {
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
    ...readLogin(url, problem),
  };
}

/** User and password, decoded; a % that encodes nothing stands for itself. */
function readLogin({ username, password }: URL, problem: Error): Pick<SmtpServer, 'user' | 'password'> {
  const decode = (text: string): string => decodeURIComponent(text.replace(/%(?![0-9a-f]{2})/gi, '%25'));
  try {
    return { user: decode(username), password: decode(password) };
  } catch {
    throw problem;
  }
}
