/** Readable name of a right. */

/**
 * Its resource and its entitlement. Names of entitlements often begin with that of their resource, which is not said twice; and it is not said at all
 * where it is that of the app, which stands beside.
 */
export function nameRight(app: string, resource: string, entitlement: string): string {
  if (resource !== '' && resource === app) {
    return entitlement.startsWith(`${resource} `) ? entitlement.slice(resource.length + 1) : entitlement;
  }
  const isSaid = resource === '' || entitlement === resource || entitlement.startsWith(`${resource} `);
  return isSaid ? entitlement : `${resource} ${entitlement}`;
}
