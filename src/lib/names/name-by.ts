/** Names somebody, and another person who issued what they acted through; '' for none. Pure. */
export function nameBy(name: string, issuer: string): string {
  return name === '' || issuer === '' ? name : `${name} (access issued by ${issuer})`;
}
