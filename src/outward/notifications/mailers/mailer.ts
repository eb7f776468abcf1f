/**
 * Way of a mail out of this program: a server that speaks SMTP, or a folder. What is in a mail is decided elsewhere; how its message is made is
 * build-message.ts.
 */

/** Somebody, as a header names them. */
export interface Mailbox {
  readonly name: string;
  readonly address: string;
}

/** A mail that is ready to leave. */
export interface OutgoingMail {
  /** Names the message: the same in every attempt, so that a receiver can recognise it. */
  readonly id: string;
  readonly from: Mailbox;
  /** Address for answers; empty for the sender. */
  readonly replyTo: string;
  readonly to: Mailbox;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly date: Date;
}

/** Outcome of an attempt to send. `unsure`: the whole message left, and nobody said whether it was taken. */
export type SendResult =
  | { readonly outcome: 'sent'; readonly answer: string }
  | { readonly outcome: 'refused'; readonly isPermanent: boolean; readonly answer: string }
  | { readonly outcome: 'unsure'; readonly answer: string };

/** A way out. It never throws. */
export interface Mailer {
  /** For people who look after the service: without secrets. */
  readonly description: string;
  /** Sends the message; ends soon after `signal` is aborted. */
  send(mail: OutgoingMail, message: Buffer, signal: AbortSignal): Promise<SendResult>;
}
