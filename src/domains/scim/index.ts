/** The public interface of SCIM 2.0: people and groups that an identity provider pushes. */
import type { BoundService } from '../../wire/service.ts';
import { scimService } from './service.ts';

export { createGroup, deleteGroup, patchGroup, replaceGroup } from './change-group.ts';
export { createUser, deleteUser, patchUser, replaceUser } from './change-user.ts';
export { describeSchemas, describeService, describeTypes, listAll } from './discovery.ts';
export { ScimError, type ScimType, shapeScimError } from './errors.ts';
export { listPage, type ListQuery } from './list-resources.ts';
export type { Projection } from './project.ts';
export { checkToken, sourceIdIn } from './scim-token.ts';
export { scimPath } from './service.ts';
export { namesVersion, requireResource, type ScimSource, versionOf } from './source.ts';
export type { ResourceKind, ResourceRow } from './store-resources.ts';
export { locationOf, viewResources } from './view.ts';

/** What the module serves. */
export const services: readonly BoundService[] = [scimService];
