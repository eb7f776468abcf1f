/** Mail settings besides the context: set once, when the program starts. */
import type { Mailer } from './mailer.ts';

/** The way out of the installation, and where links lead. */
export interface MailSettings {
  readonly mailer: Mailer;
  /** The address mails come from. */
  readonly from: string;
  /** Address links lead to, with {host} for the host of the tenant; undefined: to that host. */
  readonly publicUrl: string | undefined;
  /** Port at which the server itself is reached without TLS; undefined where it, or a proxy before it, has TLS. */
  readonly plainPort: number | undefined;
}
