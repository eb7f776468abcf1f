/** Readable name of a right. */

/** Its resource and its entitlement. Names of entitlements often begin with that of their resource, which is not said twice. */
export function nameRight(resource: string, entitlement: string): string {
  const isSaid = resource === '' || entitlement === resource || entitlement.startsWith(`${resource} `);
  return isSaid ? entitlement : `${resource} ${entitlement}`;
}
