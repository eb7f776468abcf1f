/** The name under which mails are delivered: known to those who make mails and to what sends them. */

/** The kind of delivery that sends a mail; its subject is the mail. */
export const mailDeliveryKind = 'mail';
