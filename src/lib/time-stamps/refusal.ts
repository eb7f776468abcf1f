/** A reply that is no time stamp for what was asked; the message is the broken rule, a sentence for people. */
export class TimeStampRefusal extends Error {
  override readonly name = 'TimeStampRefusal';
}
